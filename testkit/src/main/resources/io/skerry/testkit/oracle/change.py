"""Applies changes to a file of layouts.py, or shows what is in it.

usage: change.py FILE LOW HIGH [CHANGES]

CHANGES has a line for each change: "write NAME FROM SIZE VALUE" sets a box to one value, "resize
NAME EXTENT" gives another extent, numbers separated by commas. Without it, prints for each dataset
name, extent and sha256 of its elements.
"""
import hashlib
import os
import sys

import h5py
import numpy as np

path, low, high = sys.argv[1:4]
os.chdir(os.path.dirname(os.path.abspath(path)))


def numbers(text):
    return tuple(map(int, text.split(',')))


if len(sys.argv) > 4:
    with h5py.File(path, 'r+', libver=(low, high)) as f:
        for line in open(sys.argv[4]):
            words = line.split()
            d = f[words[1]]
            if words[0] == 'write':
                box = tuple(slice(a, a + n) for a, n in zip(numbers(words[2]), numbers(words[3])))
                d[box] = int(words[4])
            else:
                d.resize(numbers(words[2]))
else:
    names = []
    with h5py.File(path, 'r') as f:
        f.visititems(lambda name, o: names.append(name) if isinstance(o, h5py.Dataset) else None)
        for name in sorted(names):
            d = f[name]
            values = np.ascontiguousarray(d[...], '<i4')
            extent = ','.join(map(str, d.shape))
            print(name, extent, hashlib.sha256(values.tobytes()).hexdigest(), sep='\t')
