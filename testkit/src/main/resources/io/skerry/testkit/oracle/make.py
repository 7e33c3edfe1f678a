"""make.py FILE LOW HIGH LONGEST: writes dense datasets of every type, index and filter with h5py.

LOW and HIGH are version bounds, LONGEST is the size of the longest dataset. Prints one line per
dataset: path, dtype, shape, sha256 of its bytes, and one per attribute: "attribute", path, name,
dtype, shape, bytes in hex.
"""
import hashlib
import sys

import h5py
import numpy as np

random = np.random.default_rng(7)
TYPES = [mark + kind for mark in "<>" for kind in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8")]
FILTERS = [
    {},
    {"compression": 6},
    {"shuffle": True, "compression": 1},
    {"fletcher32": True},
    {"shuffle": True, "compression": 9, "fletcher32": True},
]


def some(shape, dtype):
    size = int(np.prod(shape)) * dtype.itemsize
    top = 256 if random.integers(2) else 4
    return random.integers(0, top, size, dtype=np.uint8).view(dtype).reshape(shape)


def report(d):
    shape = ",".join(map(str, d.shape))
    print(d.name, d.dtype.str, shape, hashlib.sha256(d[()].tobytes()).hexdigest(), sep="\t")
    for name, value in d.attrs.items():
        value = np.asarray(value)
        print("attribute", d.name, name, value.dtype.str, ",".join(map(str, value.shape)), value.tobytes().hex(), sep="\t")


def blocks(d, times):
    for _ in range(times):
        at = tuple(slice(a, a + 1 + int(random.integers(n - a))) for n in d.shape for a in [int(random.integers(n))])
        d[at] = some(d[at].shape, d.dtype)


def small(f, number, index, name):
    dtype, rank = np.dtype(name), 1 + number % 4
    top = (200, 30, 9, 9)[rank - 1]
    shape = [int(random.integers(2, top)) for _ in range(rank)]
    chunks = tuple(int(random.integers(1, 2 + n // 2)) for n in shape)
    maximum, first = list(shape), list(shape)
    grows = int(random.integers(rank))
    if index == "single":
        chunks = tuple(shape)
    elif index == "fixed":
        maximum[grows] += 5
        first[grows] = (first[grows] + 1) // 2
    elif index == "extensible":
        maximum[grows] = None
        first[grows] = (first[grows] + 1) // 2
    fill = some((1,), dtype)[0] if number % 2 and dtype.kind != "f" else None
    path = "/%s/%d/%s" % (index, number // 6, name.replace("<", "l").replace(">", "b"))
    d = f.create_dataset(path, first, dtype, chunks=chunks, maxshape=maximum, fillvalue=fill, **FILTERS[number % 5])
    blocks(d, 2)
    d.resize(shape) if index != "single" else None
    blocks(d, 2)
    d.attrs["size"] = np.int64(number)
    d.attrs["scale"] = np.array([number / 4, -1.5], ">f4")
    return d


def flat(f, number, name):
    dtype = np.dtype(name)
    path = "/flat/%d/%s" % (number // 6, name.replace("<", "l").replace(">", "b"))
    return f.create_dataset(path, data=some((3, 1 + number), dtype))


def many(f, filters):
    kind = "filtered" if filters else "plain"
    options = FILTERS[filters]
    made = [f.create_dataset("/many/%s/paged" % kind, (6001,), ">u2", chunks=(2,), **options)]
    made[-1][()] = some((6001,), made[-1].dtype)
    made.append(f.create_dataset("/many/%s/partly" % kind, (100000,), "<i4", chunks=(10,), fillvalue=7, **options))
    made.append(f.create_dataset("/many/%s/holes" % kind, (200000,), "<i2", chunks=(1,), maxshape=(None,), **options))
    for d in made[1:]:
        for _ in range(5):
            at = int(random.integers(d.size - 40))
            d[at : at + 40] = some((40,), d.dtype)
    made.append(f.create_dataset("/many/%s/growing" % kind, (3, 9), "<u2", chunks=(2, 2), maxshape=(12, None), **options))
    for shape in ((3, 9), (5, 80), (12, 150)):
        made[-1].resize(shape)
        made[-1][()] = some(shape, made[-1].dtype)
    size = 80000 if filters else int(sys.argv[4])
    made.append(f.create_dataset("/many/%s/long" % kind, (size,), "u1", chunks=(4,), maxshape=(None,), **options))
    made[-1][()] = some((size,), made[-1].dtype)
    return made


with h5py.File(sys.argv[1], "w", libver=(sys.argv[2], sys.argv[3])) as f:
    made = []
    for number, name in enumerate(TYPES):
        made += [small(f, number + shift, index, name) for shift, index in enumerate(("single", "fixed", "extensible"))]
        made.append(flat(f, number, name))
    made += many(f, 0) + many(f, 2)
    for d in made:
        report(d)
