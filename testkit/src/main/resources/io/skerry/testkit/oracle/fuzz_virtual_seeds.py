"""Writes small HDF5 files with virtual datasets, for tests that change their fields.

    fuzz_virtual_seeds.py FOLDER PREFIX

Writes FOLDER/PREFIX-LIBVER-NAME.h5 for the libver bounds earliest and latest. The sources in other
files are named part-PREFIX-*.
"""

import os
import sys

import h5py
import numpy as np
from h5py import h5d, h5f, h5p, h5s, h5t

folder, prefix = sys.argv[1:3]
os.chdir(folder)
ROWS = np.arange(40, dtype="<i4").reshape(8, 5)
U = h5s.UNLIMITED
PART = "part-%s-" % prefix


def slab(extent, start, count=(1, 1), stride=None, block=None):
    space = h5s.create_simple(extent, (U,) + extent[1:])
    space.select_hyperslab(start, count, stride, block)
    return space


def make(f, name, extent, *mappings, type=h5t.STD_I32LE):
    plist = h5p.create(h5p.DATASET_CREATE)
    plist.set_layout(h5d.VIRTUAL)
    for here, file, dataset, there in mappings:
        plist.set_virtual(here, file.encode(), dataset.encode(), there)
    h5d.create(f.id, name.encode(), type, h5s.create_simple(extent, (U,) + extent[1:]), plist)


def parts():
    for i in (0, 1, 3):
        with h5py.File(PART + "%d.h5" % i, "w") as f:
            f.create_dataset("data", data=ROWS + 100 * i, chunks=(2, 5), maxshape=(None, 5))
            f.create_dataset("more", data=ROWS[:2], dtype=">i2")
    with h5py.File(PART + "nested.h5", "w", libver="latest") as f:
        layout = h5py.VirtualLayout((8, 5), "<i4")
        layout[::2] = h5py.VirtualSource(PART + "0.h5", "data", (8, 5))[:4]
        f.create_virtual_dataset("data", layout, fillvalue=-3)
    with h5py.File(PART + "texts.h5", "w", libver="latest") as f:
        d = f.create_dataset("texts", (4,), h5py.string_dtype())
        d[:] = ["a", "bc", "", "defgh" * 9]
        d = f.create_dataset("lists", (3,), h5py.vlen_dtype("<i2"))
        for i in range(3):
            d[i] = np.arange(i + 1)
        f.create_dataset("objects", data=np.array([d.ref, f["/"].ref], h5py.ref_dtype), dtype=h5py.ref_dtype)


def names(f):
    rows = [slab((8, 5), (i, 0), block=(1, 5)) for i in range(8)]
    sources = [(PART + "0.h5", "data"), (PART + "0.h5", "data"), (".", "inner"), (PART + "1.h5", "data"),
               (".", "inner"), (PART + "1.h5", "more"), ("nowhere.h5", "data"), (PART + "0.h5", "more")]
    f.create_dataset("inner", data=ROWS)
    make(f, "d", (8, 5), *[(rows[i], file, dataset, rows[7 - i] if dataset != "more" else slab((2, 5), (i % 2, 0), block=(1, 5)))
                           for i, (file, dataset) in enumerate(sources)])


def blocks(f):
    here = slab((12, 5), (0, 0), block=(2, 5))
    here.select_hyperslab((4, 1), (2, 2), (3, 2), (1, 1), op=h5s.SELECT_OR)
    there = slab((8, 5), (1, 1), (2, 2), (3, 2), (2, 1))
    there.select_hyperslab((0, 4), (6, 1), op=h5s.SELECT_OR)
    make(f, "d", (12, 5), (here, PART + "0.h5", "data", there),
         (slab((12, 5), (1, 2), (3, 1), (4, 1), (2, 2)), PART + "1.h5", "data", slab((8, 5), (0, 1), (2, 2), (4, 2), (3, 1))))


def grows(f):
    make(f, "d", (0, 10),
         (slab((1, 10), (0, 0), (U, 1), (3, 1), (2, 5)), PART + "0.h5", "data", slab((1, 5), (1, 0), (1, 1), None, (U, 5))),
         (slab((1, 10), (2, 5), (1, 1), None, (U, 5)), PART + "1.h5", "data", slab((1, 5), (0, 0), (U, 1), (2, 1), (1, 5))))


def numbered(f):
    two = slab((2, 5), (0, 0), block=(2, 5))
    make(f, "d", (0, 10),
         (slab((1, 10), (1, 0), (U, 1), (3, 1), (2, 5)), PART + "%b.h5", "more", two),
         (slab((1, 10), (0, 5), (U, 1), (2, 1), (2, 5)), ".", "%b%%", two))
    for i in (0, 1, 2):
        f.create_dataset("%d%%" % i, data=ROWS[:2] * i)


def mixed(f):
    make(f, "d", (6, 5),
         (slab((6, 5), (4, 1), block=(2, 4)), PART + "0.h5", "data", slab((8, 5), (0, 0), block=(2, 4))),
         (slab((6, 5), (0, 0), (U, 1), None, (1, 1)), PART + "1.h5", "data", slab((1, 5), (0, 2), (U, 1), None, (1, 1))),
         (slab((6, 5), (0, 3), (U, 1), (4, 1), (2, 2)), PART + "%b.h5", "more", slab((2, 5), (0, 0), block=(2, 2))))


def nested(f):
    layout = h5py.VirtualLayout((4, 5), "<i8")
    layout[...] = h5py.VirtualSource(PART + "nested.h5", "data", (8, 5))[2:6]
    f.create_virtual_dataset("d", layout)
    layout = h5py.VirtualLayout((2, 5), "<i8")
    layout[1] = h5py.VirtualSource(".", "d", (4, 5))[3]
    f.create_virtual_dataset("e", layout)


def everything(f):
    f.create_dataset("data", data=ROWS)
    make(f, "all", (8, 5), (h5s.create_simple((8, 5)), PART + "0.h5", "data", h5s.create_simple((8, 5))))
    make(f, "none", (8, 5))
    make(f, "many", (8, 5), *[(slab((8, 5), (i // 5, i % 5)), ".", "data", slab((8, 5), (i % 8, i // 8))) for i in range(40)])


def texts(f):
    name = PART + "texts.h5"
    for kind, type, count in (("texts", h5py.string_dtype(), 4), ("lists", h5py.vlen_dtype("<i2"), 3), ("objects", h5py.ref_dtype, 2)):
        layout = h5py.VirtualLayout((count + 1,), type)
        layout[1:] = h5py.VirtualSource(name, kind, (count,), type)
        f.create_virtual_dataset(kind, layout)


def small_sizes(plist):
    plist.set_sizes(4, 4)


MAKERS = [names, blocks, grows, numbered, mixed, nested, everything, texts]


def write(libver, maker, creation=None):
    path = "%s-%s-%s%s.h5" % (prefix, libver, maker.__name__, "" if creation is None else "-" + creation.__name__)
    access = h5p.create(h5p.FILE_ACCESS)
    access.set_libver_bounds(h5f.LIBVER_EARLIEST if libver == "earliest" else h5f.LIBVER_LATEST, h5f.LIBVER_LATEST)
    plist = h5p.create(h5p.FILE_CREATE)
    if creation is not None:
        creation(plist)
    with h5py.File(h5f.create(path.encode(), h5f.ACC_TRUNC, plist, access)) as f:
        maker(f)


parts()
for libver in ("earliest", "latest"):
    for maker in MAKERS:
        write(libver, maker)
    write(libver, names, small_sizes)
