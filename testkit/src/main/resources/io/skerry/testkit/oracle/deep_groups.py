"""Writes FILE with DEPTH groups nested in each other and a dataset in each of the last 2000.

LIBVER determines the format: links in object headers for "latest", symbol tables for "earliest".
"""

import sys

import h5py
import numpy as np


def main():
    path, depth, libver = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    with h5py.File(path, "w", libver=libver) as file:
        group = h5py.h5g.open(file.id, b"/")
        space = h5py.h5s.create_simple((4,))
        chunked = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        chunked.set_chunk((2,))
        for i in range(depth):
            inner = h5py.h5g.create(group, b"g%d" % i)
            if i == depth // 2:
                # A cycle of hard links, and a second path to a group.
                inner.links.create_hard(b"back", inner, b".")
                group.links.create_hard(b"again", inner, b".")
            group = inner
            if i >= depth - 2000:
                data = h5py.h5d.create(group, b"data", h5py.h5t.STD_I32LE, space, dcpl=chunked)
                data.write(h5py.h5s.ALL, h5py.h5s.ALL, np.arange(4, dtype="i4"))


if __name__ == "__main__":
    main()
