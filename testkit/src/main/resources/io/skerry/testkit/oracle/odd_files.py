"""Writes HDF5 files with rarely used settings, with h5py and the HDF5 library that it has loaded.

    odd_files.py FOLDER FIRST COUNT

Writes FOLDER/odd-SEED.h5 for the seeds FIRST .. FIRST + COUNT - 1. Only the seed determines a file.
The settings and structures are: sizes of addresses and lengths, user blocks, orders of B-trees,
pooled messages, strategies of free space, metadata cache images, filtered fractal heaps, thresholds
between compact and dense, chunks whose filters were skipped, n-bit, scale-offset and szip on every
type that they take, many dimensions, external files in pieces, virtual datasets of every kind,
references to regions.
"""

import ctypes
import os
import random
import re
import sys

import h5py
import numpy as np

from h5py import h5d, h5f, h5g, h5p, h5s, h5t, h5z

LIBVERS = [h5f.LIBVER_EARLIEST, h5f.LIBVER_V18, h5f.LIBVER_V110, h5f.LIBVER_V112, h5f.LIBVER_V114, h5f.LIBVER_LATEST]


class CacheImage(ctypes.Structure):
    _fields_ = [("version", ctypes.c_int), ("generate", ctypes.c_bool), ("resize", ctypes.c_bool), ("ageout", ctypes.c_int)]


def library():
    with open("/proc/self/maps") as maps:
        return ctypes.CDLL(re.search(r"/\S*libhdf5[-.][^/\s]*", maps.read()).group())


C = library()


def call(name, identifier, *arguments):
    function = getattr(C, name)
    function.restype = ctypes.c_int
    turned = [a if not isinstance(a, int) else ctypes.c_uint(a) for a in arguments]
    if function(ctypes.c_int64(identifier), *turned) < 0:
        raise RuntimeError(name)


class Maker:
    def __init__(self, seed, folder):
        self.random = random.Random(seed)
        self.numpy = np.random.default_rng(seed)
        self.seed = seed
        self.folder = folder

    def chance(self, probability):
        return self.random.random() < probability

    # -- the file ---------------------------------------------------------------------------

    def creation(self):
        plist = h5p.create(h5p.FILE_CREATE)
        self.small = False
        if self.chance(0.5):
            plist.set_sizes(self.random.choice([4, 8]), self.random.choice([4, 8]))
            self.small = plist.get_sizes()[0] < 8
        if self.chance(0.3):
            plist.set_userblock(self.random.choice([512, 1024, 4096]))
        if self.chance(0.4):
            call("H5Pset_sym_k", plist.id, self.random.choice([2, 3, 16, 40]), self.random.choice([1, 2, 4, 30]))
            call("H5Pset_istore_k", plist.id, self.random.choice([2, 3, 32, 100]))
        if self.chance(0.4):
            self.pools(plist)
        if self.chance(0.5) and not self.small:
            self.space(plist)
        return plist

    def pools(self, plist):
        kinds = self.random.choice([[0x1F], [0x01 | 0x02, 0x10], [0x02, 0x04 | 0x08, 0x10]])
        call("H5Pset_shared_mesg_nindexes", plist.id, len(kinds))
        for number, kind in enumerate(kinds):
            call("H5Pset_shared_mesg_index", plist.id, number, kind, self.random.choice([1, 16, 40]))
        most, least = self.random.choice([(0, 0), (5, 3), (50, 40)])
        call("H5Pset_shared_mesg_phase_change", plist.id, most, least)

    def space(self, plist):
        strategy = self.random.choice([h5f.FSPACE_STRATEGY_FSM_AGGR, h5f.FSPACE_STRATEGY_PAGE, h5f.FSPACE_STRATEGY_AGGR, h5f.FSPACE_STRATEGY_NONE])
        plist.set_file_space_strategy(strategy, self.chance(0.6), self.random.choice([1, 64]))
        if strategy == h5f.FSPACE_STRATEGY_PAGE:
            size = self.random.choice([512, 4096, 16384])
            # A user block must be at least as large as a page.
            plist.set_file_space_page_size(min(size, plist.get_userblock() or size))

    def make(self):
        place = self.random.randrange(len(LIBVERS))
        low, high = LIBVERS[place], self.random.choice(LIBVERS[max(place, 2) :])
        self.new = place >= 2
        access = h5p.create(h5p.FILE_ACCESS)
        access.set_libver_bounds(low, high)
        creation = self.creation()
        if self.new and self.chance(0.25):
            C.H5Pset_mdc_image_config(ctypes.c_int64(access.id), ctypes.byref(CacheImage(1, True, False, -1)))
        path = os.path.join(self.folder, "odd-%d.h5" % self.seed)
        with h5py.File(h5f.create(path.encode(), h5f.ACC_TRUNC, creation, access)) as file:
            self.file = file
            parts = [self.groups, self.attributes, self.packed, self.szip, self.skipped, self.dimensions, self.external,
                     self.virtual, self.references, self.compact, self.indexes, self.removed]
            for part in self.random.sample(parts, self.random.randint(3, len(parts))):
                part()

    # -- groups and attributes --------------------------------------------------------------

    def group(self, name):
        plist = h5p.create(h5p.GROUP_CREATE)
        if self.chance(0.6):
            call("H5Pset_link_phase_change", plist.id, *self.random.choice([(0, 0), (1, 1), (3, 2), (60, 8)]))
        if self.chance(0.3):
            order = self.random.choice([h5p.CRT_ORDER_TRACKED, h5p.CRT_ORDER_TRACKED | h5p.CRT_ORDER_INDEXED])
            plist.set_link_creation_order(order)
        if self.chance(0.4):
            call("H5Pset_deflate", plist.id, 6)
        if self.chance(0.2):
            call("H5Pset_fletcher32", plist.id)
        if self.chance(0.4):
            plist.set_attr_phase_change(*self.random.choice([(0, 0), (2, 1), (40, 30)]))
        if self.chance(0.3):
            call("H5Pset_obj_track_times", plist.id, 0)
        if self.chance(0.3):
            call("H5Pset_est_link_info", plist.id, self.random.choice([0, 100]), self.random.choice([1, 200]))
        return h5py.Group(h5g.create(self.file.id, name.encode(), gcpl=plist))

    def groups(self):
        for number in range(self.random.randint(1, 4)):
            group = self.group("group %d" % number)
            for i in range(self.random.choice([0, 2, 10, 70, 400])):
                name = "n%d" % i + "x" * self.random.choice([0, 3, 300])
                kind = self.random.randrange(4)
                if kind == 0:
                    group[name] = h5py.SoftLink("/nowhere/" + name)
                elif kind == 1:
                    group[name] = h5py.ExternalLink("none.h5", "/x")
                elif kind == 2:
                    group[name] = self.file["/"]
                else:
                    group.create_group(name)
            for name in self.random.sample(sorted(group), len(group) // self.random.choice([2, 5, 1000])):
                del group[name]

    def attributes(self):
        thing = self.group("with attributes")
        self.file["a type"] = np.dtype([("a", "i4"), ("b", ">f8", (2,))])
        shared = self.file["a type"]
        for i in range(self.random.choice([3, 9, 60])):
            kind = self.random.randrange(5)
            name = "attribute %d" % i
            if kind == 0:
                thing.attrs.create(name, np.zeros(3, shared.dtype), dtype=shared)
            elif kind == 1:
                thing.attrs[name] = self.numpy.integers(0, 9, self.random.choice([1, 50, 2000]))
            elif kind == 2:
                thing.attrs[name] = "text" * i
            elif kind == 3:
                thing.attrs[name] = h5py.Empty("f4")
            else:
                thing.attrs.create(name, np.arange(i % 7, dtype="i2"))

    # -- filters ----------------------------------------------------------------------------

    def create(self, name, dtype, shape, chunk, *filters, maximum=None, values=None):
        plist = h5p.create(h5p.DATASET_CREATE)
        plist.set_chunk(chunk if maximum else tuple(min(c, s) for c, s in zip(chunk, shape)))
        for filter_name, arguments in filters:
            call(filter_name, plist.id, *arguments)
        kind = dtype if isinstance(dtype, h5t.TypeID) else h5t.py_create(np.dtype(dtype))
        made = h5d.create(self.file.id, name.encode(), kind, h5s.create_simple(shape, maximum or shape), dcpl=plist)
        if values is not None:
            made.write(h5s.ALL, h5s.ALL, np.ascontiguousarray(values), mtype=kind)
        return h5py.Dataset(made)

    def narrow(self, base, precision, offset):
        kind = base.copy()
        kind.set_precision(precision)
        kind.set_offset(offset)
        return kind

    def packed(self):
        integer = self.narrow(self.random.choice([h5t.STD_I32LE, h5t.STD_I32BE, h5t.STD_U32LE]), self.random.randint(17, 24), self.random.randint(0, 8))
        compound = h5t.create(h5t.COMPOUND, 24)
        compound.insert(b"a", 0, integer)
        compound.insert(b"b", 4, h5t.IEEE_F64BE)
        compound.insert(b"c", 12, h5t.array_create(self.narrow(h5t.STD_U16LE, 9, 3), (3,)))
        compound.insert(b"d", 20, h5t.py_create(np.dtype("S3")))
        array = h5t.array_create(integer, (2, 2))
        more = [("H5Pset_deflate", (1,))] if self.chance(0.5) else []
        for number, kind in enumerate((integer, compound, array)):
            shape = (self.random.randint(1, 30), self.random.randint(1, 9))
            values = self.numpy.integers(0, 256, shape + (kind.get_size(),)).astype("u1")
            self.create("nbit %d" % number, kind, shape, (5, 4), ("H5Pset_nbit", ()), *more, values=values)
        for base in ("i1", "<u2", ">i4", "<i8", ">u8", "<f4", ">f4", "<f8", ">f8"):
            shape = (self.random.randint(1, 300),)
            values = self.numpy.integers(0, self.random.choice([1, 3, 100]), shape).astype(base)
            float_kind = base[-2] == "f"
            scale = (0, self.random.randint(0, 4)) if float_kind else (2, self.random.choice([0, 0, 5, 12]))
            self.create("scaled " + base, base, shape, (self.random.randint(1, 64),), ("H5Pset_scaleoffset", scale), values=values)

    def szip(self):
        for base in ("u1", "<i2", ">i4", "<f4", ">f8", "<i8"):
            mask = self.random.choice([4, 32])
            pixels = self.random.choice([2, 8, 16, 32])
            shape = (self.random.randint(33, 200), self.random.randint(1, 3))
            values = np.cumsum(self.numpy.integers(-2, 3, shape), axis=0).astype(base)
            self.create("szip " + base, base, shape, (33, 3), ("H5Pset_szip", (mask, pixels)), maximum=(h5s.UNLIMITED, h5s.UNLIMITED) if self.chance(0.5) else None, values=values)

    def skipped(self):
        made = self.create("skipped", "<i4", (20,), (5,), ("H5Pset_shuffle", ()), ("H5Pset_fletcher32", ()), ("H5Pset_deflate", (6,)))
        for i, mask in enumerate(self.random.sample([0b111, 0b101], 2)):
            plain = np.arange(5, dtype="<i4") * (i + 1)
            data = plain.tobytes()
            if not mask & 0b010:
                made[5 * i : 5 * i + 5] = plain
                continue
            made.id.write_direct_chunk((5 * i,), data, mask)

    # -- layouts ----------------------------------------------------------------------------

    def dimensions(self):
        rank = self.random.choice([5, 17, 32])
        shape = tuple(self.random.choice([1, 1, 1, 1, 2]) for _ in range(rank))
        shape = shape if np.prod(shape) < 5000 else (1,) * rank
        self.file.create_dataset("many dimensions", data=self.numpy.integers(0, 9, shape).astype("u2"))
        limits = tuple(None if self.chance(0.3) else s + 1 for s in shape)
        self.file.create_dataset("many chunked", data=self.numpy.integers(0, 9, shape).astype("u2"), chunks=shape, maxshape=limits)
        for number, empty in enumerate([(0,), (3, 0), (0, 0, 2)]):
            self.file.create_dataset("empty %d" % number, empty, "f4", maxshape=(None,) * len(empty))
            self.file.create_dataset("empty contiguous %d" % number, empty, "f4")

    def external(self):
        content = self.numpy.integers(0, 256, 400).astype("u1")
        pieces, at = [], 0
        for number in range(3):
            name = "odd-%d-%d.bin" % (self.seed, number)
            with open(os.path.join(self.folder, name), "wb") as stream:
                stream.write(b"skip" + content[at : at + 100].tobytes())
            pieces.append((name, 4, 100 if number < 2 else h5f.UNLIMITED))
            at += 100
        self.file.create_dataset("external", (70,), ">i4", external=pieces, maxshape=(None,))

    def virtual(self):
        names = []
        for number in range(3):
            name = "odd-%d-source%d.h5" % (self.seed, number)
            with h5py.File(os.path.join(self.folder, name), "w", libver="latest") as source:
                source.create_dataset("data", data=np.arange(12).reshape(3, 4) + 100 * number, maxshape=(None, 4), chunks=(2, 2))
            names.append(name)
        layout = h5py.VirtualLayout((3, 7, 4), "i4")
        for number, name in enumerate(names):
            source = h5py.VirtualSource(name, "data", (3, 4))
            layout[number, 0:6:2, :] = source[:, :]
        self.file.create_virtual_dataset("stacked", layout, fillvalue=-5)
        self.mapped("numbered", "odd-%d-source%%b.h5" % self.seed, (1, 1))
        self.mapped("unlimited", names[1], (h5s.UNLIMITED, 4))
        self.file.create_dataset("inner", data=np.arange(9, dtype="f4"))
        inside = h5py.VirtualLayout((9,), "f8")
        inside[1:9] = h5py.VirtualSource(".", "inner", (9,))[0:8]
        self.file.create_virtual_dataset("same file", inside)

    def mapped(self, name, pattern, count):
        """Maps blocks of three rows, one source after another, or all rows of one source."""
        plist = h5p.create(h5p.DATASET_CREATE)
        plist.set_layout(h5d.VIRTUAL)
        here = h5s.create_simple((0, 4), (h5s.UNLIMITED, 4))
        there = h5s.create_simple((3, 4), (h5s.UNLIMITED, 4))
        if count[0] == 1:
            here.select_hyperslab((0, 0), (h5s.UNLIMITED, 1), (3, 4), (3, 4))
            there.select_hyperslab((0, 0), (1, 1), block=(3, 4))
        else:
            here.select_hyperslab((0, 0), (1, 1), block=count)
            there.select_hyperslab((0, 0), (1, 1), block=count)
        plist.set_virtual(here, pattern.encode(), b"data", there)
        h5d.create(self.file.id, name.encode(), h5t.STD_I64LE, h5s.create_simple((0, 4), (h5s.UNLIMITED, 4)), dcpl=plist)

    def references(self):
        if self.small:
            return  # With addresses of four bytes, HDF5 cannot read the references that it wrote.
        target = self.file.create_dataset("target", data=np.arange(60).reshape(6, 10))
        objects = np.array([target.ref, self.file["/"].ref, h5py.h5r.Reference()], h5py.ref_dtype)
        self.file.create_dataset("objects", data=objects, dtype=h5py.ref_dtype)
        pair = np.dtype([("r", h5py.ref_dtype), ("n", "i2")])
        both = np.zeros(2, pair)
        both["r"] = [target.ref, target.ref]
        self.file.create_dataset("pairs", data=both, chunks=(1,), maxshape=(None,))
        target.attrs["itself"] = target.ref

    def compact(self):
        plist = h5p.create(h5p.DATASET_CREATE)
        plist.set_layout(h5d.COMPACT)
        for name, dtype, value in (("texts", h5py.string_dtype(), "some text"), ("numbers", np.dtype(">f8"), 2.5)):
            made = h5d.create(self.file.id, ("compact " + name).encode(), h5t.py_create(dtype, logical=True), h5s.create_simple((4,)), dcpl=plist)
            h5py.Dataset(made)[...] = value
        made = h5d.create(self.file.id, b"compact sequences", h5t.py_create(h5py.vlen_dtype("i2"), logical=True), h5s.create_simple((3,)), dcpl=plist)
        for i in range(3):
            h5py.Dataset(made)[i] = np.arange(i + 1, dtype="i2")

    def indexes(self):
        for number, (shape, limits) in enumerate([((50,), (50,)), ((3000,), (3000,)), ((700,), (None,)), ((40, 30), (None, None)), ((40, 30), (None, 30))]):
            filters = {"compression": "gzip"} if self.chance(0.5) else {}
            early = h5p.create(h5p.DATASET_CREATE)
            early.set_alloc_time(self.random.choice([h5d.ALLOC_TIME_EARLY, h5d.ALLOC_TIME_LATE, h5d.ALLOC_TIME_INCR]))
            chunk = tuple(self.random.choice([1, 2, 7]) for _ in shape)
            made = self.file.create_dataset("index %d" % number, shape, ">i2", chunks=chunk, maxshape=limits, fillvalue=self.random.choice([None, 77]), dcpl=early, **filters)
            for _ in range(self.random.randint(0, 40)):
                corner = tuple(self.random.randrange(s) for s in shape)
                made[tuple(slice(c, c + self.random.choice([1, 9])) for c in corner)] = self.random.randrange(1000)
            if limits[0] is None and self.chance(0.5):
                made.resize(shape[0] // 2, 0)
                made.resize(shape[0] + 11, 0)

    def removed(self):
        for i in range(12):
            self.file.create_dataset("gone %d" % i, data=np.arange(100 * i))
        for i in range(0, 12, 2):
            del self.file["gone %d" % i]
        self.file.create_dataset("late", data=np.arange(333))


def main(folder, first, count):
    os.chdir(folder)
    for seed in range(first, first + count):
        try:
            Maker(seed, ".").make()
        except Exception as problem:
            raise RuntimeError("seed %d" % seed) from problem


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
