"""Writes random virtual datasets; prints the mappings of each: random_virtual.py FILE COUNT LIBVER.

A line for each mapping: dataset, source file, source dataset, source selection, virtual selection,
separated by tabs. A selection is "all", "none", "slab" with start, stride, count and block, or
"blocks" with the first coordinates and the sizes of blocks. -1 is unlimited.
"""
import random
import sys

import h5py
import numpy as np

name, count, libver = sys.argv[1], int(sys.argv[2]), sys.argv[3]
U = h5py.h5s.UNLIMITED
rng = random.Random(name.rsplit("/", 1)[-1] + libver)


def text(numbers):
    return ",".join(str(-1 if n == U else n) for n in numbers)


def extent(start, stride, count, block):
    ends = []
    for s, t, c, b in zip(start, stride, count, block):
        ends.append(s + 1 if U in (c, b) else s + (c - 1) * t + b)
    return ends


def slab(start, stride, count, block):
    dims = extent(start, stride, count, block)
    space = h5py.h5s.create_simple(tuple(dims), (U,) * len(dims))
    space.select_hyperslab(tuple(start), tuple(count), tuple(stride), tuple(block))
    parts = (text(start), text(stride), text(count), text(block))
    return space, "slab " + " ".join(parts), dims


def whole(dims):
    space = h5py.h5s.create_simple(tuple(dims))
    space.select_all()
    return space, "all", dims


def nothing(rank):
    space = h5py.h5s.create_simple((3,) * rank)
    space.select_none()
    return space, "none", [1] * rank


def blocks(rank):
    boxes = []
    for i in range(rng.randint(2, 4)):
        boxes.append(([20 * i + rng.randint(0, 9) for _ in range(rank)],
                      [rng.randint(1, 9) for _ in range(rank)]))
    space = h5py.h5s.create_simple((100,) * rank)
    for i, (start, size) in enumerate(boxes):
        op = h5py.h5s.SELECT_SET if i == 0 else h5py.h5s.SELECT_OR
        space.select_hyperslab(tuple(start), (1,) * rank, None, tuple(size), op=op)
    shown = "blocks " + " ".join(text(s) + " " + text(z) for s, z in boxes)
    return space, shown, [100] * rank


def far():
    return rng.choice((0, 1, 7, 300, 65530, 70000, 2**31, 2**32 + 5))


def one_line(elements):
    """Returns a block of elements in a one-dimensional source."""
    return slab([rng.choice((0, 3, far()))], [1], [1], [elements])


def regular(rank):
    stride, count, block = [], [], []
    for _ in range(rank):
        b = rng.randint(1, 4)
        block.append(b)
        stride.append(b + rng.randint(0, 3))
        count.append(rng.randint(1, 5))
    # With more than one long dimension, the extent would have more than 2^63 - 1 elements.
    return [rng.choice((0, 2, far() if d == 0 else 9)) for d in range(rank)], stride, count, block


def unlimited(rank):
    """Returns two unlimited selections; their unlimited dimensions are chosen independently."""
    start, stride, count, block = regular(rank)
    at = rng.randrange(rank)
    other = rng.randrange(rank)
    if rng.random() < 0.5:
        count[at] = U
    else:
        count[at], block[at], stride[at] = 1, U, 1
    there = [[v for i, v in enumerate(p) if i != at] for p in (start, stride, count, block)]
    for values, own in zip(there, (rng.randint(0, 9), 1, 1, U)):
        values.insert(other, own)
    return slab(start, stride, count, block), slab(*there)


def per_block(rank):
    start, stride, count, block = regular(rank)
    at = rng.randrange(rank)
    count[at] = U
    elements = int(np.prod([b * (1 if c == U else c) for b, c in zip(block, count)]))
    return slab(start, stride, count, block), one_line(elements)


def mapping(rank, names):
    kind = rng.randrange(12)
    file, dataset = rng.choice(names), rng.choice(names)
    if kind == 0:
        return nothing(rank), file, dataset, nothing(rng.randint(1, 3))
    if kind == 1:
        here, there = unlimited(rank)
        return here, file, dataset, there
    if kind == 2:
        here, there = per_block(rank)
        pattern = rng.choice(((file + "%b", dataset), (file, dataset + "%b%%"), ("%b" + file, "%b")))
        return here, pattern[0], pattern[1], there
    if kind == 3:
        here = blocks(rank)
        return here, file, dataset, one_line(here[0].get_select_npoints())
    if kind == 4:
        there = blocks(2)
        elements = there[0].get_select_npoints()
        return slab([0] * rank, [1] * rank, [1] * rank, [1] * (rank - 1) + [elements]), file, dataset, there
    here = slab(*regular(rank))
    elements = here[0].get_select_npoints()
    if kind == 5:
        return here, file, dataset, whole([1, elements])
    if kind == 6:
        return here, file, dataset, one_line(elements)
    return here, file, dataset, slab([far()], [rng.randint(1, 3)], [elements], [1])


with h5py.File(name, "w", libver=libver) as f:
    for i in range(count):
        rank = rng.randint(1, 3)
        letters = rng.choice(("abc", "x/é"))
        names = ["".join(rng.choice(letters) for _ in range(rng.randint(1, 14)))
                 for _ in range(rng.randint(1, 4))]
        names += ["."] * rng.randint(0, 2) + ["50%%"] * rng.randint(0, 1)
        entries = [mapping(rank, names) for _ in range(rng.choice((1, 2, 3, 8, 30)))]
        dims = tuple(max(e[0][2][d] for e in entries) for d in range(rank))
        if rng.random() < 0.1:
            file, dataset = rng.choice(names), rng.choice(names)
            dims = (5,) * rank
            entries = [(whole(dims), file, dataset, whole(dims))]
        space = h5py.h5s.create_simple(dims, (U,) * rank)
        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        for here, file, dataset, there in entries:
            plist.set_virtual(here[0], file.encode(), dataset.encode(), there[0])
            print("d%d" % i, file, dataset, there[1], here[1], sep="\t")
        h5py.h5d.create(f.id, b"d%d" % i, h5py.h5t.NATIVE_INT32, space, plist)
