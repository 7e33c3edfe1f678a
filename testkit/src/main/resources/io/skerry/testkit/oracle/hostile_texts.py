"""Writes FILE, in which most names and strings contain the content of the file TEXT."""

import os
import sys

import h5py
import numpy as np


def main():
    path, text = sys.argv[1:]
    with open(text, encoding="utf-8", newline="") as told:
        evil = told.read()
    with h5py.File(path, "w", libver="latest") as file:
        file.attrs["a" + evil] = "v" + evil
        file.attrs["fixed"] = np.array([("f" + evil).encode()])
        group = file.create_group("g" + evil)
        group["soft" + evil] = h5py.SoftLink("/to" + evil)
        group["external" + evil] = h5py.ExternalLink("f" + evil, "/p" + evil)
        compound = np.dtype([("m" + evil, "i4"), ("other", "f8")])
        group["compound" + evil] = np.zeros(3, compound)
        names = h5py.enum_dtype({"e" + evil: 0, "other": 1}, basetype="i1")
        group.create_dataset("enum" + evil, (3,), names)
        group["type" + evil] = compound
        group["opaque" + evil] = np.zeros(2, "V4")
        group.create_dataset("texts" + evil, (2,), h5py.string_dtype())[:] = "t" + evil
        group.create_dataset(
            "elsewhere" + evil, (4,), "i4", external=[("x" + evil, 0, h5py.h5f.UNLIMITED)]
        )
        layout = h5py.VirtualLayout((4,), "i4")
        layout[:] = h5py.VirtualSource("s" + evil, "d" + evil, (4,))
        group.create_virtual_dataset("virtual" + evil, layout)
        group.create_dataset("refs" + evil, (1,), h5py.ref_dtype)[0] = group.ref
        bad = group.create_dataset(
            "bad" + evil, (4, 4), "i4", chunks=(4, 4), compression="gzip"
        )
        bad.id.write_direct_chunk((0, 0), b"no deflated bytes at all")
        bad.attrs["b" + evil] = np.zeros(2, names)
        group.create_dataset("good" + evil, data=np.eye(4, dtype="i4"), chunks=(2, 2))


if __name__ == "__main__":
    main()
