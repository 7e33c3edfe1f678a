"""Writes a file that refers to files in and outside its folder; prints the bytes of the objects."""
import os
import sys

import h5py
import numpy as np

home = sys.argv[1]
inside = home + "/inside"
os.makedirs(inside + "/sub")
# HDF5 resolves the names of external data files against the working folder here.
os.chdir(inside)


def text_file(name, text):
    with open(name, "w") as f:
        f.write(text)


def data_file(name, first):
    with h5py.File(name, "w", libver="latest") as f:
        f["d"] = np.arange(first, first + 6, dtype="u1")


text_file(home + "/secret.txt", "SECRET")
text_file("near.txt", "inside")
data_file(home + "/secret.h5", 100)
data_file("near.h5", 1)
data_file("sub/deep.h5", 20)
os.symlink("../secret.txt", "link.txt")
os.symlink("../secret.h5", "link.h5")
os.symlink("near.txt", "short.txt")
os.symlink("sub/deep.h5", "short.h5")
os.symlink("..", "up")
os.mkfifo("pipe.h5")
os.mkfifo("pipe.txt")
with h5py.File("near.h5", "a") as f:
    f["out"] = h5py.ExternalLink("../secret.h5", "/d")
with h5py.File("sub/deep.h5", "a") as f:
    f["up"] = h5py.ExternalLink("../near.h5", "/d")
    f["out"] = h5py.ExternalLink("../../secret.h5", "/d")

NAMES = {
    "near": "near",
    "below": "sub/deep",
    "short": "short",
    "absolute": home + "/secret",
    "escaping": "../secret",
    "folder": "up/secret",
    "link": "link",
    "pipe": "pipe",
    "device": "/dev/zero",
    "missing": "missing",
}


def file_name(key, suffix):
    return NAMES[key] + ("" if key == "device" else suffix)


with h5py.File("main.h5", "w", libver="latest") as f:
    f["own"] = np.arange(6, dtype="u1")
    for key in NAMES:
        if key != "below":
            f.create_dataset("data/" + key, (6,), "u1", external=[(file_name(key, ".txt"), 0, 6)])
        name = file_name(key, ".h5")
        f["links/" + key] = h5py.ExternalLink(name, "/d")
        layout = h5py.VirtualLayout((6,), "u1")
        layout[:] = h5py.VirtualSource(name, "d", (6,), dtype="u1")
        f.create_virtual_dataset("virtual/" + key, layout, fillvalue=7)
    layout = h5py.VirtualLayout((6,), "u1")
    layout[:] = h5py.VirtualSource(".", "own", (6,), dtype="u1")
    f.create_virtual_dataset("virtual/own", layout, fillvalue=7)
    f["links/own"] = h5py.ExternalLink("main.h5", "/own")
    f["links/chain"] = h5py.ExternalLink("near.h5", "/out")
    f["links/deepchain"] = h5py.ExternalLink("sub/deep.h5", "/out")
    f["links/round"] = h5py.ExternalLink("sub/deep.h5", "/up")
    layout = h5py.VirtualLayout((6,), "u1")
    layout[:] = h5py.VirtualSource("near.h5", "out", (6,), dtype="u1")
    f.create_virtual_dataset("virtual/chain", layout, fillvalue=7)
    for key in ("near", "absolute"):
        layout = h5py.VirtualLayout((6,), "u1", maxshape=(None,))
        source = h5py.VirtualSource(file_name(key, ".h5"), "d", (6,), "u1", (None,))
        layout[0 : h5py.h5s.UNLIMITED] = source[0 : h5py.h5s.UNLIMITED]
        f.create_virtual_dataset("growing/" + key, layout, fillvalue=7)

with h5py.File("main.h5", "a") as f:
    f.create_dataset("large/data", (2048,), "u1", external=[("../secret.txt", 0, 2048)])

SKIPPED = ("pipe", "device", "missing")
with h5py.File("main.h5") as f:
    for group in ("data", "links", "virtual", "growing"):
        for key in sorted(f[group]):
            if key not in SKIPPED:
                print("/%s/%s %s" % (group, key, f[group][key][()].tobytes().hex()))
    print("/virtual/missing %s" % f["virtual/missing"][()].tobytes().hex())
