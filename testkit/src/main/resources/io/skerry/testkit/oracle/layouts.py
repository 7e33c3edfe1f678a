"""Writes datasets of every layout and chunk index that this HDF5 supports; prints their content.

usage: layouts.py FILE LOW HIGH SEED COUNT

Prints a line for each dataset: name, extent, sha256 of its elements as little-endian i32, and the
kind of its layout, with "+filters" and "+resized" if applicable.
"""
import ctypes
import hashlib
import itertools
import os
import random
import sys

import h5py
import numpy as np

path, low, high, seed, count = sys.argv[1:]
rng = random.Random(int(seed))
DONT_FILTER_PARTIAL_CHUNKS = 2


def library():
    """Returns the HDF5 library that h5py has loaded, for calls that h5py does not provide."""
    for line in open('/proc/self/maps'):
        name = line.split()[-1]
        if 'libhdf5' in os.path.basename(name) and '_hl' not in name and '_cpp' not in name:
            return ctypes.CDLL(name)
    return None


LIB = library()
MODERN = (low, high) not in (('earliest', 'v108'), ('v108', 'v108'))


def chunk_options(properties, options):
    LIB.H5Pset_chunk_opts.argtypes = [ctypes.c_int64, ctypes.c_uint]
    if LIB.H5Pset_chunk_opts(properties.id, options) < 0:
        raise OSError('H5Pset_chunk_opts')


def dataset(f, name):
    rank = rng.choice([1, 1, 2, 2, 3, 4])
    top = {1: 3000, 2: 90, 3: 20, 4: 9}[rank]
    shape = [rng.randint(1, top) for _ in range(rank)]
    chunk = [rng.randint(1, max(1, min(s, 7))) for s in shape]
    maximum = [rng.choice([s, s, s + rng.randint(0, 9), None]) for s in shape]
    kind = rng.choice(['chunked'] * 6 + ['early', 'edges', 'single', 'contiguous', 'late',
                                         'compact', 'external'])
    p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    fill = None
    if rng.random() < 0.5:
        fill = rng.randint(-99, 99)
        p.set_fill_value(np.array(fill, '<i4'))
    note = kind
    if kind in ('contiguous', 'late', 'compact', 'external'):
        maximum = shape
    if kind == 'early':
        p.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        maximum = [s + rng.randint(0, 5) for s in shape]
    if kind == 'single':
        chunk = maximum = shape
    if kind in ('chunked', 'edges', 'single', 'early'):
        p.set_chunk(tuple(chunk))
        if kind != 'early' and (kind == 'edges' or rng.random() < 0.4):
            p.set_shuffle()
            p.set_deflate(3)
            if rng.random() < 0.3:
                p.set_fletcher32()
            note += '+filters'
        if kind == 'edges' and MODERN and LIB is not None:
            chunk_options(p, DONT_FILTER_PARTIAL_CHUNKS)
    elif kind == 'compact':
        shape = maximum = [min(s, 9) for s in shape]
        p.set_layout(h5py.h5d.COMPACT)
    elif kind == 'external':
        size = 4 * int(np.prod(shape))
        half = rng.randint(1, size)
        base = os.path.basename(path) + '.' + name.replace('/', '-')
        p.set_external((base + '.a').encode(), 3, half)
        p.set_external((base + '.b').encode(), 0, h5py.h5f.UNLIMITED)
    unlimited = h5py.h5s.UNLIMITED
    space = h5py.h5s.create_simple(
        tuple(shape), tuple(unlimited if m is None else m for m in maximum))
    d = h5py.Dataset(h5py.h5d.create(f.id, name.encode(), h5py.h5t.STD_I32LE, space, p))
    if kind in ('late',):
        return note
    whole = rng.random() < 0.4
    if kind == 'external' and not whole:
        # HDF5 reads zeros beyond the end of an external file, but the file must exist.
        open(base + '.a', 'wb').close()
        open(base + '.b', 'wb').close()
    if whole:
        d[...] = np.arange(np.prod(shape), dtype='<i4').reshape(shape) * 7
    else:
        for _ in range(rng.randint(0, 40)):
            at = tuple(sorted((rng.randint(0, s), rng.randint(0, s))) for s in shape)
            at = tuple(slice(a, b) for a, b in at)
            d[at] = rng.randint(-1000, 1000)
    if d.chunks and rng.random() < 0.5:
        grown = tuple(rng.randint(1, (s if m is None else m) + (9 if m is None else 0))
                      for s, m in zip(shape, maximum))
        d.resize(grown)
        note += '+resized'
        if rng.random() < 0.5:
            d[tuple(slice(0, max(1, n // 2)) for n in grown)] = 5
    return note


os.chdir(os.path.dirname(os.path.abspath(path)))
notes = {}
with h5py.File(path, 'w', libver=(low, high)) as f:
    for i in range(int(count)):
        group = 'g%d/h%d' % (i // 64, i // 8 % 8)
        f.require_group(group)
        name = '%s/d%d' % (group, i % 8)
        notes[name] = dataset(f, name)
with h5py.File(path, 'r') as f:
    for name in sorted(notes):
        d = f[name]
        values = np.ascontiguousarray(d[...], '<i4')
        extent = ','.join(map(str, d.shape))
        print(name, extent, hashlib.sha256(values.tobytes()).hexdigest(), notes[name], sep='\t')
