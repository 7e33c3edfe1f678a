"""Writes random HDF5 files with h5py: trees, types, layouts, indexes, filters, extents, bounds.

    random_files.py FOLDER FIRST COUNT

Writes FOLDER/SEED.h5 for the seeds FIRST .. FIRST + COUNT - 1. Only the seed determines a file.
"""

import os
import random
import sys

import h5py
import numpy as np

BOUNDS = ["earliest", "v108", "v110", "latest", ("earliest", "v108"), ("v108", "latest"), ("v110", "v110")]


class Maker:
    def __init__(self, seed, folder):
        self.random = random.Random(seed)
        self.numpy = np.random.default_rng(seed)
        self.folder = folder
        self.seed = seed
        self.objects = []
        self.number = 0

    # -- types ------------------------------------------------------------------------------

    def order(self):
        return self.random.choice("<>")

    def plain(self):
        kind = self.random.randrange(11)
        order = self.order()
        if kind < 4:
            return np.dtype(order + self.random.choice("iu") + self.random.choice("1248"))
        if kind < 7:
            return np.dtype(order + "f" + self.random.choice("248"))
        if kind == 7:
            return np.dtype(order + "c" + self.random.choice(["8", "16"]))
        if kind == 8:
            return np.dtype("S%d" % self.random.randint(1, 12))
        if kind == 9:
            return np.dtype("?")
        names = {"name%d" % i: i * 3 - 4 for i in range(self.random.randint(1, 9))}
        return h5py.enum_dtype(names, basetype=order + "i" + self.random.choice("248"))

    def nested(self, depth=0):
        kind = self.random.randrange(8)
        if depth < 2 and kind < 2:
            members = [("m%d" % i, self.nested(depth + 1)) for i in range(self.random.randint(1, 4))]
            return np.dtype(members, align=self.random.random() < 0.4)
        if depth < 3 and kind == 2:
            extent = tuple(self.random.randint(1, 3) for _ in range(self.random.randint(1, 3)))
            base = self.plain() if self.random.random() < 0.7 else self.nested(depth + 1)
            return np.dtype((base, extent)) if depth > 0 else np.dtype([("a", base, extent)])
        return self.plain()

    def variable(self):
        kind = self.random.randrange(5)
        if kind == 0:
            return h5py.string_dtype("utf-8")
        if kind == 1:
            return h5py.string_dtype("ascii")
        if kind == 2:
            return h5py.ref_dtype
        return h5py.vlen_dtype(self.random.choice(["<i4", "<i2", "<f8", "u1"]))

    # -- values -----------------------------------------------------------------------------

    def fixed_values(self, shape, dtype):
        if dtype.subdtype is not None:
            dtype, inner = dtype.subdtype
            return self.fixed_values(shape + inner, dtype)
        count = int(np.prod(shape, dtype=np.int64)) if shape else 1
        values = np.empty(count, dtype)
        self.fill(values, dtype)
        return values.reshape(shape)

    def fill(self, values, dtype):
        if dtype.names is not None:
            for name in dtype.names:
                values[name] = self.fixed_values((values.size,), dtype.fields[name][0])
            return
        enum = h5py.check_enum_dtype(dtype)
        if enum is not None:
            values[:] = self.numpy.choice(list(enum.values()), values.size)
        elif dtype.kind == "b":
            values[:] = self.numpy.integers(0, 2, values.size).astype(bool)
        elif dtype.kind == "S":
            letters = [self.text(dtype.itemsize).encode("ascii", "ignore") for _ in range(8)]
            values[:] = self.numpy.choice(np.array(letters, dtype), values.size)
        elif dtype.kind in "fc":
            values[:] = np.round(self.numpy.normal(0, 100, values.size), 2)
        elif self.random.random() < 0.5:
            info = np.iinfo(dtype)
            values[:] = self.numpy.integers(info.min, info.max, values.size, dtype.newbyteorder("="), endpoint=True)
        else:
            values[:] = np.arange(values.size) % 100

    def text(self, most):
        alphabet = "abcdefgh XYZ0189_-"
        return "".join(self.random.choice(alphabet) for _ in range(self.random.randint(0, most)))

    def variable_values(self, shape, dtype):
        values = np.empty(shape, object)
        flat = values.reshape(-1)
        base = h5py.check_vlen_dtype(dtype)
        for i in range(flat.size):
            if h5py.check_ref_dtype(dtype) is not None:
                flat[i] = self.random.choice(self.objects).ref if self.objects else None
            elif h5py.check_string_dtype(dtype) is not None:
                ascii_only = h5py.check_string_dtype(dtype).encoding == "ascii"
                flat[i] = self.text(40) + ("" if ascii_only else self.random.choice(["", "é", "日本"]))
            else:
                flat[i] = self.fixed_values((self.random.choice([0, 1, 3, 50]),), np.dtype(base))
        return values

    def values(self, shape, dtype):
        if dtype.kind == "O":
            return self.variable_values(shape, dtype)
        return self.fixed_values(shape, dtype)

    # -- objects ----------------------------------------------------------------------------

    def name(self, prefix):
        self.number += 1
        return prefix + str(self.number) + self.random.choice(["", "_x", " spaced", "é", "." * 3])

    def shape(self):
        rank = self.random.choice([0, 1, 1, 2, 2, 3, 4])
        most = [0, 3000, 80, 14, 7][rank]
        shape = tuple(self.random.randint(1, most) for _ in range(rank))
        if rank and self.random.random() < 0.05:
            shape = shape[:-1] + (0,)
        return shape

    def filters(self, dtype):
        chosen = {}
        if self.random.random() < 0.5:
            chosen["compression"] = self.random.choice(["gzip", "lzf"])
        if self.random.random() < 0.4:
            chosen["shuffle"] = True
        if self.random.random() < 0.3:
            chosen["fletcher32"] = True
        if dtype.kind in "iu" and h5py.check_enum_dtype(dtype) is None and self.random.random() < 0.2:
            chosen.pop("fletcher32", None)
            chosen["scaleoffset"] = self.random.choice([0, True])
        return chosen

    def property_list(self):
        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        if self.random.random() < 0.3:
            plist.set_alloc_time(self.random.choice([h5py.h5d.ALLOC_TIME_EARLY, h5py.h5d.ALLOC_TIME_LATE, h5py.h5d.ALLOC_TIME_INCR]))
        if self.random.random() < 0.2:
            plist.set_fill_time(self.random.choice([h5py.h5d.FILL_TIME_ALLOC, h5py.h5d.FILL_TIME_IFSET]))
        return plist

    def dataset(self, group):
        dtype = np.dtype(self.random.choice([self.plain, self.nested, self.variable])())
        shape = self.shape()
        name = self.name("d")
        options = {}
        if dtype.kind != "O" and dtype.names is None and dtype.kind in "iuf" and self.random.random() < 0.3:
            options["fillvalue"] = np.asarray(7).astype(dtype)[()]
        plist = self.property_list()
        layout = self.random.choice(["plain", "compact", "chunked", "chunked", "chunked", "external"])
        if not shape or 0 in shape:
            layout = "plain"
        if layout == "compact" and dtype.kind != "O" and int(np.prod(shape)) * dtype.itemsize < 30000:
            plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            plist.set_layout(h5py.h5d.COMPACT)
        elif layout == "external" and dtype.kind != "O" and dtype.itemsize:
            plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            options["external"] = self.external(int(np.prod(shape)) * dtype.itemsize)
        elif layout == "chunked":
            options["chunks"] = tuple(self.random.randint(1, n + 2 if self.random.random() < 0.3 else n) for n in shape)
            options["maxshape"] = tuple(self.random.choice([None, n, n + 5, n]) for n in shape)
            for axis, most in enumerate(options["maxshape"]):
                if most is not None and options["chunks"][axis] > most:
                    options["chunks"] = options["chunks"][:axis] + (most,) + options["chunks"][axis + 1 :]
            if np.prod([-(-n // c) for n, c in zip(shape, options["chunks"])]) > 3000:
                options["chunks"] = shape
                options["maxshape"] = tuple(None if m is None else max(m, n) for m, n in zip(options["maxshape"], shape))
            if dtype.kind != "O":
                options.update(self.filters(dtype))

        made = group.create_dataset(name, shape=shape, dtype=dtype, dcpl=plist, **options)
        self.write(made, shape, dtype)
        self.objects.append(made)
        return made

    def external(self, size):
        first = self.random.randint(0, size)
        base = "%d_%d" % (self.seed, self.number)
        parts = [(base + "a.bin", 3, max(1, first)), (base + "b.bin", 0, size)]
        if self.random.random() < 0.5:
            parts = [(base + "a.bin", 8, h5py.h5f.UNLIMITED)]
        for name, _, _ in parts:
            # HDF5 may read the bytes around a part before it writes, so the file must exist.
            open(name, "ab").close()
        return parts

    def write(self, made, shape, dtype):
        how = self.random.random()
        if 0 in shape or how < 0.1:
            return
        values = self.values(shape, dtype)
        if how < 0.7 or not shape:
            made[()] = values
        else:
            cut = tuple(slice(self.random.randint(0, n - 1), n) for n in shape)
            made[cut] = np.ascontiguousarray(values[cut])
        if made.chunks and self.random.random() < 0.3:
            self.resize(made, dtype)

    def resize(self, made, dtype):
        shape = []
        for n, most in zip(made.shape, made.maxshape):
            top = n + 9 if most is None else most
            shape.append(self.random.randint(1, max(1, top)))
        made.resize(tuple(shape))
        if self.random.random() < 0.5:
            made[tuple(slice(0, (n + 1) // 2) for n in shape)] = self.values(tuple((n + 1) // 2 for n in shape), dtype)

    def attributes(self, thing):
        count = self.random.choice([0, 0, 1, 2, 5, 12, 40])
        for i in range(count):
            dtype = np.dtype(self.random.choice([self.plain, self.plain, self.nested, self.variable])())
            shape = self.random.choice([(), (), (1,), (3,), (2, 2), (40,)])
            if int(np.prod(shape)) * dtype.itemsize > 30000:
                # In files with older bounds, attributes must be smaller than 64 KiB.
                dtype = np.dtype("<f8")
            name = "a%d" % i + self.random.choice(["", "é", "x" * 40])
            if self.random.random() < 0.05:
                thing.attrs[name] = h5py.Empty(dtype) if dtype.kind in "iuf" else "text"
                continue
            thing.attrs.create(name, self.values(shape, dtype), shape=shape, dtype=dtype)
        if count > 10 and self.random.random() < 0.5:
            for name in list(thing.attrs)[:: self.random.choice([2, 3])]:
                del thing.attrs[name]

    def group(self, parent, depth):
        made = parent.create_group(self.name("g"), track_order=self.random.choice([None, True, False]))
        self.objects.append(made)
        self.populate(made, depth + 1)
        return made

    def links(self, group):
        if self.objects and self.random.random() < 0.3:
            group[self.name("hard")] = self.random.choice(self.objects)
        if self.random.random() < 0.3:
            group[self.name("soft")] = h5py.SoftLink(self.random.choice(["/", "/nowhere", "d1"]))
        if self.random.random() < 0.2:
            group[self.name("external")] = h5py.ExternalLink("other.h5", "/there")
        if self.random.random() < 0.15:
            for i in range(self.random.choice([9, 40, 300])):
                group.create_group("many%d" % i)
            if self.random.random() < 0.5:
                for i in range(0, 9, 2):
                    del group["many%d" % i]

    def populate(self, group, depth):
        self.attributes(group)
        for _ in range(self.random.randint(0, 5 if depth else 8)):
            kind = self.random.random()
            if kind < 0.25 and depth < 4:
                self.group(group, depth)
            elif kind < 0.32:
                group[self.name("type")] = np.dtype(self.nested())
            else:
                self.attributes(self.dataset(group))
        self.links(group)

    def make(self):
        path = os.path.join(self.folder, "%d.h5" % self.seed)
        options = {"libver": self.random.choice(BOUNDS), "track_order": self.random.random() < 0.2}
        if self.random.random() < 0.15:
            options["userblock_size"] = self.random.choice([512, 2048])
        if self.random.random() < 0.25 and "earliest" not in options["libver"] and "v108" not in options["libver"]:
            options.pop("userblock_size", None)
            options["fs_strategy"] = self.random.choice(["fsm", "page", "aggregate", "none"])
            if options["fs_strategy"] in ("fsm", "page"):
                options["fs_persist"] = self.random.random() < 0.7
        with h5py.File(path, "w", **options) as file:
            self.objects.append(file["/"])
            self.populate(file["/"], 0)


def main(folder, first, count):
    os.chdir(folder)
    for seed in range(first, first + count):
        try:
            Maker(seed, ".").make()
        except Exception as problem:
            raise RuntimeError("seed %d" % seed) from problem


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
