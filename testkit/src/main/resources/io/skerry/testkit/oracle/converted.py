"""Reads and writes with types other than those of the file, over data that exists already.

Prints one case per line: read or write, file, path, encoded memory type, the bytes in memory before
the call, and the bytes after it: of the memory after a read, of the elements in the file after a
write.
"""
import shutil
import sys

import h5py
import numpy as np
from h5py import h5s, h5t

folder, seed = sys.argv[1], int(sys.argv[2])
rng = np.random.default_rng(seed)
SHAPE = (9, 7)


def compound(size, **members):
    made = h5t.create(h5t.COMPOUND, size)
    for name, (offset, kind) in members.items():
        made.insert(name.encode(), offset, kind)
    return made


def text(size):
    made = h5t.C_S1.copy()
    made.set_size(size)
    made.set_strpad(h5t.STR_NULLPAD)
    return made


RECORD = compound(
    30,
    a=(0, h5t.STD_I32BE),
    b=(5, h5t.IEEE_F32LE),
    t=(10, text(6)),
    n=(16, compound(10, x=(0, h5t.STD_U16LE), y=(2, h5t.IEEE_F64BE))),
)
MEMORY = [
    RECORD,
    compound(8, b=(0, h5t.IEEE_F64LE)),
    compound(20, t=(3, text(9)), a=(12, h5t.STD_I64LE)),
    compound(12, n=(2, compound(6, y=(1, h5t.IEEE_F32LE))), zz=(8, h5t.STD_I32LE)),
]
NUMBERS = [h5t.STD_I8LE, h5t.STD_U16BE, h5t.STD_I64LE, h5t.IEEE_F32LE, h5t.IEEE_F64BE]


def raw(count, kind):
    """Returns elements of small numbers; conversions of unrepresentable numbers are not tested."""
    values = rng.integers(-300, 300, count).astype("<i4")
    if kind.get_class() != h5t.COMPOUND:
        out = np.zeros(count * max(4, kind.get_size()), "u1")
        out[: 4 * count] = values.view("u1")
        h5t.convert(h5t.STD_I32LE, kind, count, out)
        return out[: count * kind.get_size()].copy()
    out = rng.integers(0, 256, (count, kind.get_size()), dtype="u1")
    for i in range(kind.get_nmembers()):
        member = kind.get_member_type(i)
        at = kind.get_member_offset(i)
        if member.get_class() == h5t.STRING:
            part = rng.integers(97, 100, (count, member.get_size()), dtype="u1")
        else:
            part = raw(count, member).reshape(count, -1)
        out[:, at : at + member.get_size()] = part
    return out.reshape(-1).copy()


def plist(layout):
    made = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    if layout in ("chunked", "gzip"):
        made.set_chunk((4, 3))
    if layout == "gzip":
        made.set_deflate(1)
    if layout == "compact":
        made.set_layout(h5py.h5d.COMPACT)
    return made


base = folder + "/base.h5"
with h5py.File(base, "w", libver="latest") as f:
    for layout in ("contiguous", "compact", "chunked", "gzip"):
        for name, kind in (("record", RECORD), ("number", h5t.STD_I16BE)):
            space = h5s.create_simple(SHAPE)
            d = h5py.h5d.create(f.id, (layout + "-" + name).encode(), kind, space, plist(layout))
            d.write(h5s.ALL, h5s.ALL, raw(SHAPE[0] * SHAPE[1], kind), kind)
    virtual = h5py.VirtualLayout(SHAPE, ">f8")
    for row, source in ((1, "contiguous-number"), (2, "gzip-number")):
        virtual[row::3, ::2] = h5py.VirtualSource(".", source, SHAPE, ">i2")[row::3, ::2]
    f.create_virtual_dataset("virtual-number", virtual, fillvalue=99.75)


def show(what, file, path, memory, before, after):
    print(what, file, path, memory.encode()[2:].hex(), before.tobytes().hex(), after.tobytes().hex())


count = SHAPE[0] * SHAPE[1]
with h5py.File(base, "r") as f:
    for path in f:
        for memory in MEMORY if path.endswith("record") else NUMBERS:
            before = rng.integers(0, 256, count * memory.get_size(), dtype="u1")
            after = before.copy()
            f[path].id.read(h5s.ALL, h5s.ALL, after, memory)
            show("read", "base.h5", path, memory, before, after)
changed = folder + "/changed.h5"
shutil.copy(base, changed)
with h5py.File(changed, "r+") as f:
    for path in f:
        if path.startswith("virtual"):
            continue
        d = f[path].id
        for memory in MEMORY if path.endswith("record") else NUMBERS:
            values = raw(count, memory)
            d.write(h5s.ALL, h5s.ALL, values, memory)
            after = np.zeros(count * d.get_type().get_size(), "u1")
            d.read(h5s.ALL, h5s.ALL, after, d.get_type())
            show("write", "mine.h5", path, memory, values, after)
shutil.copy(base, folder + "/mine.h5")
