"""Writes small HDF5 files, each with one structure of the format, for tests that change fields.

    fuzz_seeds.py FOLDER PREFIX

Writes FOLDER/PREFIX-LIBVER-NAME.h5 for the libver bounds earliest and latest. Sources of virtual
datasets and targets of external links are named part-PREFIX-*.
"""

import ctypes
import os
import re
import sys

import h5py
import numpy as np
from h5py import h5d, h5f, h5p, h5s, h5t

folder, prefix = sys.argv[1:3]
os.chdir(folder)
SLAB = np.arange(96, dtype="<i4").reshape(8, 12)


def library():
    with open("/proc/self/maps") as maps:
        return ctypes.CDLL(re.search(r"/\S*libhdf5(?!\w*_(hl|cpp|fortran))[^/\s]*\.so[^/\s]*", maps.read()).group())


C = library()


def call(name, identifier, *arguments):
    function = getattr(C, name)
    function.restype = ctypes.c_int
    if function(ctypes.c_int64(identifier), *map(ctypes.c_uint, arguments)) < 0:
        raise RuntimeError(name)


def early():
    plist = h5p.create(h5p.DATASET_CREATE)
    plist.set_alloc_time(h5d.ALLOC_TIME_EARLY)
    return plist


def chunked(f, maxshape, chunks=(2, 3), **options):
    f.create_dataset("d", data=SLAB, chunks=chunks, maxshape=maxshape, **options)


def single(f):
    chunked(f, None, (8, 12))


def single_filtered(f):
    chunked(f, None, (8, 12), compression="gzip")


def implicit(f):
    f.create_dataset("d", data=SLAB, chunks=(2, 3), dcpl=early())


def fixed(f):
    chunked(f, None)


def fixed_filtered(f):
    chunked(f, (9, 14), compression="gzip", shuffle=True, fletcher32=True)


def fixed_paged(f):
    d = f.create_dataset("d", (1100,), "u1", chunks=(1,), compression="gzip")
    d[0:3] = 7
    d[1090] = 3


def extensible(f):
    chunked(f, (None, 12))


def extensible_filtered(f):
    chunked(f, (None, 12), compression="gzip", fletcher32=True)


def extensible_super(f):
    d = f.create_dataset("d", (400,), "u1", chunks=(2,), maxshape=(None,))
    d[:] = 5


def extensible_paged(f):
    d = f.create_dataset("d", (40000,), "u1", chunks=(1,), maxshape=(None,))
    d[0] = 1
    d[33333] = 5


def tree(f):
    chunked(f, (None, None))


def tree_filtered(f):
    chunked(f, (None, None), compression="gzip", fletcher32=True)


def tree_deep(f):
    d = f.create_dataset("d", (30, 30), "u1", chunks=(1, 1), maxshape=(None, None))
    d[...] = 5


def three_dimensions(f):
    f.create_dataset("d", data=np.arange(60, dtype=">i2").reshape(3, 4, 5), chunks=(2, 2, 2), maxshape=(None, 4, None))


def compact(f):
    plist = h5p.create(h5p.DATASET_CREATE)
    plist.set_layout(h5d.COMPACT)
    f.create_dataset("d", data=SLAB, dcpl=plist)
    f.create_dataset("scalar", data=3.5)
    f.create_dataset("null", data=h5py.Empty("f4"))


def contiguous(f):
    f.create_dataset("d", data=SLAB, fillvalue=7)
    f.create_dataset("later", (5,), "f8", fillvalue=2.5)
    f.create_dataset("empty", (0, 3), "f8")


def external(f):
    pieces = []
    for i in range(2):
        name = "part-%s-%d.bin" % (prefix, i)
        with open(name, "wb") as stream:
            stream.write(bytes(200))
        pieces.append((name, 4, 192))
    f.create_dataset("d", (8, 12), "<i4", external=pieces)


def packed(f):
    data = np.cumsum(np.ones((16, 4), "<i4"), axis=0)
    f.create_dataset("scaled", data=data, chunks=(8, 4), scaleoffset=0)
    f.create_dataset("lzf", data=data, chunks=(8, 4), compression="lzf")
    f.create_dataset("szip", data=data, chunks=(8, 4), compression="szip")
    plist = h5p.create(h5p.DATASET_CREATE)
    plist.set_chunk((8, 4))
    call("H5Pset_nbit", plist.id)
    made = h5d.create(f.id, b"nbit", h5t.STD_I32LE, h5s.create_simple((16, 4)), dcpl=plist)
    h5py.Dataset(made)[...] = data


def part(name, libver):
    with h5py.File("part-%s-%s.h5" % (prefix, name), "w", libver=libver) as f:
        f.create_dataset("data", data=SLAB, chunks=(2, 12), maxshape=(None, 12))
    return "part-%s-%s.h5" % (prefix, name)


def virtual(f):
    name = part("v0", "latest")
    layout = h5py.VirtualLayout((3, 8, 12), "<i4")
    for i in range(3):
        layout[i, ::2, 1:] = h5py.VirtualSource(name, "data", (8, 12))[1:5, :11]
    f.create_virtual_dataset("d", layout, fillvalue=-5)


def virtual_unlimited(f):
    name = part("v0", "latest")
    part("v1", "latest")
    plist = h5p.create(h5p.DATASET_CREATE)
    plist.set_layout(h5d.VIRTUAL)
    here = h5s.create_simple((0, 12), (h5s.UNLIMITED, 12))
    there = h5s.create_simple((8, 12), (h5s.UNLIMITED, 12))
    for s in (here, there):
        s.select_hyperslab((0, 0), (1, 1), block=(h5s.UNLIMITED, 12))
    plist.set_virtual(here, name.encode(), b"data", there)
    h5d.create(f.id, b"grows", h5t.STD_I32LE, here, dcpl=plist)
    plist = h5p.create(h5p.DATASET_CREATE)
    plist.set_layout(h5d.VIRTUAL)
    here = h5s.create_simple((0, 12), (h5s.UNLIMITED, 12))
    here.select_hyperslab((0, 0), (h5s.UNLIMITED, 1), (3, 12), (3, 12))
    there = h5s.create_simple((8, 12), (h5s.UNLIMITED, 12))
    there.select_hyperslab((0, 0), (1, 1), block=(3, 12))
    plist.set_virtual(here, ("part-%s-v%%b.h5" % prefix).encode(), b"data", there)
    h5d.create(f.id, b"numbered", h5t.STD_I32LE, here, dcpl=plist)


def virtual_inside(f):
    f.create_dataset("inner", data=np.arange(9, dtype="f4"))
    layout = h5py.VirtualLayout((9,), "f8")
    layout[1:9] = h5py.VirtualSource(".", "inner", (9,))[0:8]
    f.create_virtual_dataset("d", layout)


def few_links(f):
    part("target", "earliest")
    g = f.create_group("g")
    f["soft"] = h5py.SoftLink("/g/h")
    f["external"] = h5py.ExternalLink("part-%s-target.h5" % prefix, "/data")
    g["h"] = g
    f["hard"] = g


def many_links(f):
    g = f.create_group("g", track_order=True)
    for i in range(40):
        g["n%d" % i] = h5py.SoftLink("/nowhere/%d" % i)
    g["back"] = f["/"]


def attributes(f):
    f.attrs["text"] = "variable é"
    f.attrs["fixed"] = np.bytes_("fixed")
    f.attrs["numbers"] = np.arange(6.0).reshape(2, 3)
    f.attrs["empty"] = h5py.Empty("i4")
    f.attrs["pair"] = np.array((3, 2.5), np.dtype([("a", "<i2"), ("b", ">f8", (2,))]))


def many_attributes(f):
    g = f.create_group("g", track_order=True)
    for i in range(20):
        g.attrs["name %d" % i] = "x" * i
    g.attrs["large"] = np.zeros(5000, "u1")


def types(f):
    f["type"] = np.dtype([("a", "<i4"), ("b", "S5"), ("c", "<f8", (2, 2))])
    f.create_dataset("d", (3,), dtype=f["type"])
    f.create_dataset("enum", (4,), dtype=h5py.enum_dtype({"one": 1, "two": 2}, "i1"))
    f.create_dataset("opaque", (2,), dtype=np.dtype("V7"))
    f.create_dataset("bool", (2,), dtype="?")
    f.create_dataset("complex", (2,), dtype="c16")
    f.create_dataset("half", (2,), dtype="f2")
    nested = np.dtype([("in", np.dtype([("x", "u1"), ("y", "<u8")])), ("z", "<f4")])
    f.create_dataset("nested", (2,), dtype=nested, chunks=(1,), maxshape=(None,), fillvalue=np.zeros((), nested))


def variable(f):
    d = f.create_dataset("texts", (4,), h5py.string_dtype())
    d[:] = ["a", "bc", "", "defgh" * 9]
    d = f.create_dataset("sequences", (3,), h5py.vlen_dtype("<i2"), chunks=(2,), maxshape=(None,))
    for i in range(3):
        d[i] = np.arange(i + 1)


def references(f):
    target = f.create_dataset("target", data=SLAB)
    f.create_dataset("objects", data=np.array([target.ref, f["/"].ref], h5py.ref_dtype), dtype=h5py.ref_dtype)
    f.create_dataset("regions", data=np.array([target.regionref[1:3, ::2], target.regionref[0]], h5py.regionref_dtype), dtype=h5py.regionref_dtype)
    f.attrs["itself"] = target.ref


def pooled(f):
    for i in range(5):
        f.create_dataset("d%d" % i, (3,), dtype=np.dtype([("a", "<i4"), ("b", "<f8")])).attrs["a"] = "the same text"


def pooled_creation(plist):
    call("H5Pset_shared_mesg_nindexes", plist.id, 2)
    call("H5Pset_shared_mesg_index", plist.id, 0, 0x0F, 10)
    call("H5Pset_shared_mesg_index", plist.id, 1, 0x10, 10)
    call("H5Pset_shared_mesg_phase_change", plist.id, 4, 2)


def free_space(f):
    for i in range(4):
        f.create_dataset("gone%d" % i, data=np.arange(50 * i))
    for i in range(0, 4, 2):
        del f["gone%d" % i]


def free_space_creation(plist):
    plist.set_file_space_strategy(h5f.FSPACE_STRATEGY_FSM_AGGR, True, 1)


def early_indexes_creation(plist):
    call("H5Pset_istore_k", plist.id, 8)


def small_sizes_creation(plist):
    plist.set_sizes(4, 4)
    plist.set_userblock(512)


MAKERS = [single, single_filtered, implicit, fixed, fixed_filtered, fixed_paged, extensible, extensible_filtered,
          extensible_super, extensible_paged, tree, tree_filtered, tree_deep, three_dimensions, compact, contiguous,
          external, packed, virtual, virtual_unlimited, virtual_inside, few_links, many_links, attributes,
          many_attributes, types, variable, references]
CREATIONS = [(pooled, pooled_creation), (free_space, free_space_creation),
             (tree, early_indexes_creation), (tree, small_sizes_creation), (many_links, small_sizes_creation)]
LATEST_ONLY = (fixed_paged, extensible_super, extensible_paged)


def write(libver, make, creation=None):
    path = "%s-%s-%s%s.h5" % (prefix, libver, make.__name__, "" if creation is None else "-" + creation.__name__)
    access = h5p.create(h5p.FILE_ACCESS)
    bound = h5f.LIBVER_EARLIEST if libver == "earliest" else h5f.LIBVER_LATEST
    access.set_libver_bounds(bound, h5f.LIBVER_LATEST)
    plist = h5p.create(h5p.FILE_CREATE)
    if creation is not None:
        creation(plist)
    with h5py.File(h5f.create(path.encode(), h5f.ACC_TRUNC, plist, access)) as f:
        make(f)


for libver in ("earliest", "latest"):
    for make in MAKERS:
        if libver == "latest" or make not in LATEST_ONLY:
            write(libver, make)
    for make, creation in CREATIONS:
        write(libver, make, creation)
