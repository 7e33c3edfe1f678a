"""Creates datasets whose chunks may be larger than their extent, through the calls of HDF5.

create FILE CASES    prints for each line "extent maximum chunk" of CASES (numbers joined by x, -1 for
                     unlimited) whether HDF5 creates such a dataset
write FILE           writes a dataset that has grown to a fixed extent smaller than its chunks
check FILE           checks the values that the test has written to it
"""
import sys

import h5py
import numpy as np


def numbers(text):
    return tuple(int(part) for part in text.split("x"))


def create(file, cases):
    with h5py.File(file, "w") as f:
        for line in open(cases):
            extent, maximum, chunk = map(numbers, line.split())
            top = tuple(h5py.h5s.UNLIMITED if m == -1 else m for m in maximum)
            settings = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            try:
                settings.set_chunk(chunk)
                space = h5py.h5s.create_simple(extent, top)
                h5py.h5d.create(f.id, None, h5py.h5t.NATIVE_INT32, space, settings)
                print("created")
            except (ValueError, RuntimeError):
                print("refused")


def write(file):
    with h5py.File(file, "w") as f:
        settings = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        settings.set_chunk((6, 2))
        settings.set_deflate(4)
        space = h5py.h5s.create_simple((0, 0), (4, 3))
        h5py.h5d.create(f.id, b"d", h5py.h5t.STD_I32LE, space, settings)
        d = f["d"]
        d.resize((4, 3))
        d[...] = np.arange(12).reshape(4, 3)


def check(file):
    with h5py.File(file, "r") as f:
        assert f["d"].chunks == (6, 2), f["d"].chunks
        assert (f["d"][...] == np.arange(12).reshape(4, 3) + 100).all(), f["d"][...]


{"create": create, "write": write, "check": check}[sys.argv[1]](*sys.argv[2:])
