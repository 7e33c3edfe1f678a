"""append.py FILE ROUND: extends the chunked datasets that can grow and have at most 30000 elements.

Also writes the new part of each, adds attributes, and creates a dataset. Prints one line per
dataset that changed: path, dtype, shape, sha256 of all elements.
"""
import hashlib
import sys

import h5py
import numpy as np

random = np.random.default_rng(int(sys.argv[2]))


def some(shape, dtype):
    size = int(np.prod(shape)) * dtype.itemsize
    return np.frombuffer(random.bytes(size), np.uint8).view(dtype).reshape(shape)


with h5py.File(sys.argv[1], "r+", libver=("v110", "v110")) as f:
    found = []
    f.visititems(lambda name, d: found.append(d) if isinstance(d, h5py.Dataset) and d.chunks else None)
    for d in found:
        if d.maxshape == d.shape or d.size > 30000:
            continue
        old = d.shape
        new = tuple(n + 3 if m is None else min(m, n + 3) for n, m in zip(old, d.maxshape))
        d.resize(new)
        axis = max(range(len(old)), key=lambda i: new[i] - old[i])
        added = tuple(slice(old[i], new[i]) if i == axis else slice(None) for i in range(len(old)))
        d[added] = some(d[added].shape, d.dtype)
        touched = tuple(slice(n // 2, n // 2 + 1) for n in old)
        d[touched] = some(d[touched].shape, d.dtype)
        d.attrs["appended"] = np.int64(new[axis])
        print(d.name, d.dtype.str, ",".join(map(str, new)), hashlib.sha256(d[()].tobytes()).hexdigest(), sep="\t")
    d = f.create_dataset("/appended/new" + sys.argv[2], data=some((7, 5), np.dtype("<u4")), chunks=(2, 2), maxshape=(None, 5))
    print(d.name, d.dtype.str, "7,5", hashlib.sha256(d[()].tobytes()).hexdigest(), sep="\t")
