"""Writes a file of the given format with links of every kind, and a file with links to it."""
import sys

import h5py
import numpy as np

path, other, bound = sys.argv[1:4]
with h5py.File(path, "w", libver=bound, userblock_size=512) as f:
    f.attrs["title"] = np.bytes_(b"early")
    f["type"] = np.dtype("<i4")
    f["type"].attrs["of"] = np.int64(7)
    g = f.create_group("group")
    for i in range(100):
        g.create_group("member %d" % i)
    d = g.create_dataset("data", data=np.arange(12, dtype="<f8").reshape(3, 4))
    for i in range(20):
        d.attrs["number %d" % i] = np.arange(i + 1, dtype="<i2")
    g["soft"] = h5py.SoftLink("data")
    f["far soft"] = h5py.SoftLink("/group/soft")
    f["dangling"] = h5py.SoftLink("/nowhere")
    f["circle"] = h5py.SoftLink("/circle")
    f["lost"] = h5py.ExternalLink("not there.h5", "/x")
    f.create_dataset("typed", (2,), dtype=f["type"])
    f["again"] = g
with h5py.File(other, "w", libver=bound) as f:
    f["near"] = h5py.ExternalLink(path.split("/")[-1], "/far soft")
    f["moved"] = h5py.ExternalLink("/somewhere/else/" + path.split("/")[-1], "/group/data")
