"""Random selections, encoded by the HDF5 library that h5py came with.

Prints, one line each: low bound | extent | kind | steps | bytes. The bound is 0 (earliest), 2 (1.10)
or 3 (1.12) where H5Sencode2 can be called, else h5py's own encode() stands for 0. A step of a
hyperslab is an operation and start, stride, count and block, -1 being unlimited.
"""
import ctypes
import functools
import glob
import os
import random
import sys

import h5py
import numpy as np
from h5py import h5f, h5p, h5s

SEED = int(sys.argv[1])
COUNT = int(sys.argv[2])
UNLIMITED = 2**64 - 1
OPERATIONS = {
    "set": h5s.SELECT_SET,
    "or": h5s.SELECT_OR,
    "and": h5s.SELECT_AND,
    "xor": h5s.SELECT_XOR,
    "notb": h5s.SELECT_NOTB,
    "nota": h5s.SELECT_NOTA,
}
rng = random.Random(SEED)


def library():
    found = glob.glob(os.path.join(os.path.dirname(h5py.__file__), "..", "h5py.libs", "libhdf5-*"))
    if not found:
        return None
    lib = ctypes.CDLL(found[0])
    lib.H5Sencode2.argtypes = [
        ctypes.c_int64,
        ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_size_t),
        ctypes.c_int64,
    ]
    return lib


LIBRARY = library()


def encode(space, bound):
    if LIBRARY is None:
        return space.encode()
    fapl = h5p.create(h5p.FILE_ACCESS)
    fapl.set_libver_bounds(bound, h5f.LIBVER_LATEST)
    size = ctypes.c_size_t(0)
    if LIBRARY.H5Sencode2(space.id, None, size, fapl.id) < 0:
        raise RuntimeError("H5Sencode2")
    buffer = ctypes.create_string_buffer(size.value)
    if LIBRARY.H5Sencode2(space.id, buffer, size, fapl.id) < 0:
        raise RuntimeError("H5Sencode2")
    return buffer.raw[: size.value]


def pattern(extent, origin, unlimited):
    start, stride, count, block = [], [], [], []
    for size, base in zip(extent, origin):
        room = min(size - base, 12)
        b = rng.randint(1, max(1, room // 2))
        s = rng.randint(b, b + 3)
        first = rng.randint(0, room - b)
        c = rng.randint(1, (room - first - b) // s + 1)
        start.append(base + first)
        stride.append(s if c > 1 else 1)
        count.append(c)
        block.append(b)
    if unlimited:
        d = rng.randrange(len(extent))
        if rng.random() < 0.5:
            stride[d] = block[d] + rng.randint(0, 3)
            count[d] = -1
        else:
            stride[d], count[d], block[d] = 1, 1, -1
    return start, stride, count, block


def select(space, name, parts):
    start, stride, count, block = ([UNLIMITED if v < 0 else v for v in part] for part in parts)
    space.select_hyperslab(
        tuple(start), tuple(count), tuple(stride), tuple(block), op=OPERATIONS[name]
    )


def drop_unused_strides(space):
    """Selects a pattern again if its stride has no effect, since the library keeps the stride of an
    operand after an intersection that leaves one block."""
    if space.get_select_type() != h5s.SEL_HYPERSLABS or not space.is_regular_hyperslab():
        return
    start, stride, count, block = space.get_regular_hyperslab()
    if any(c == 1 and s != 1 for c, s in zip(count, stride)):
        stride = tuple(1 if c == 1 else s for c, s in zip(count, stride))
        space.select_hyperslab(start, count, stride, block)


def painted(extent, origin, start, stride, count, block):
    """The elements of a limited or unlimited pattern, relative to the origin."""
    axes = []
    for size, base, first, step, times, length in zip(extent, origin, start, stride, count, block):
        at = np.arange(base, size) - first
        length = size if length < 0 else length
        step = length if times == 1 else step
        axes.append((at >= 0) & (at % step < length) & ((times < 0) | (at // step < times)))
    return functools.reduce(np.logical_and.outer, axes)


def combined(name, one, other):
    return {
        "set": lambda: other,
        "or": lambda: one | other,
        "and": lambda: one & other,
        "xor": lambda: one ^ other,
        "notb": lambda: one & ~other,
        "nota": lambda: other & ~one,
    }[name]()


def is_wrong(space, extent, origin, model):
    """HDF5 1.10.8 loses or keeps blocks in some combinations. Later libraries are not excused."""
    if h5py.version.hdf5_version_tuple >= (1, 12):
        return False
    selected = np.zeros(model.shape, bool)
    if space.get_select_type() != h5s.SEL_NONE:
        for first, last in space.get_select_hyper_blocklist().tolist():
            selected[tuple(slice(f - o, l - o + 1) for f, l, o in zip(first, last, origin))] = True
    return not np.array_equal(selected, model)


def numbers(values):
    return ",".join(str(v) for v in values)


def sample():
    rank = rng.randint(1, 5)
    far = rng.random() < 0.25
    extent = [rng.randint(1, 14) for _ in range(rank)]
    origin = [0] * rank
    if far:
        d = rng.randrange(rank)
        origin[d] = rng.choice([2**32 - 6, 2**32 + 5, 2**40])
        extent[d] += origin[d]
    elif rng.random() < 0.2:
        d = rng.randrange(rank)
        origin[d] = rng.choice([2**16 - 6, 2**16 + 5, 2**31])
        extent[d] += origin[d]
    space = h5s.create_simple(tuple(extent))
    kind = rng.choice("ANPPHHHHUIIII")
    steps = []
    if kind == "A":
        space.select_all()
    elif kind == "N":
        space.select_none()
    elif kind == "P":
        points = []
        for _ in range(rng.randint(1, 8)):
            points.append([rng.randint(o, s - 1) for o, s in zip(origin, extent)])
            if rng.random() < 0.2:
                points.append(points[-1])
        space.select_elements(points)
        steps = [numbers(point) for point in points]
    else:
        names = ["set"]
        if kind == "I":
            names += [rng.choice(list(OPERATIONS)[1:]) for _ in range(rng.randint(1, 4))]
        for i, name in enumerate(names):
            if space.get_select_type() == h5s.SEL_NONE and i > 0:
                break
            parts = pattern(extent, origin, kind == "U")
            if kind == "I" and len(names) == 2 and i == 0 and rng.random() < 0.3:
                names[1] = "nota" if rng.random() < 0.5 else "and"
                parts = pattern(extent, origin, True)
            select(space, name, parts)
            steps.append(name + ":" + numbers(v for part in parts for v in part))
            operand = painted(extent, origin, *parts)
            model = combined(name, model, operand) if i > 0 else operand
        if kind == "I":
            if is_wrong(space, extent, origin, model):
                return
            drop_unused_strides(space)
    for bound in [0, 2, 3] if LIBRARY is not None else [0]:
        try:
            code = encode(space, bound)
        except (RuntimeError, ValueError):
            continue
        print(bound, numbers(extent), kind, ";".join(steps) or "-", code.hex())


for _ in range(COUNT):
    sample()
