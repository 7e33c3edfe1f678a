"""Changes HDF5 files with h5py: adds, rewrites, resizes, renames and deletes.

    edit_files.py SEED LOW HIGH OUT FILE...

Writes OUT/0.json, OUT/1.json, ... with {"file": ..., "done": {kind: count}, "refused": [reason]} or
{"file": ..., "error": ...}. Objects below /targets are not changed, because references point to
them. A separate process changes each file.
"""

import collections
import json
import os
import random
import signal
import sys

import h5py
import numpy as np

SECONDS_PER_FILE = 60


class Editor:
    def __init__(self, file, seed):
        self.file = file
        self.random = random.Random(seed)
        self.numpy = np.random.default_rng(seed)
        self.number = 0
        self.done = collections.Counter()
        self.refused = []

    def name(self, prefix):
        self.number += 1
        return "by h5py %s%d%s" % (prefix, self.number, self.random.choice(["", "é", "x" * 60]))

    def objects(self, kind):
        found = [self.file["/"]] if kind is h5py.Group else []

        def see(name, thing):
            if isinstance(thing, kind) and not name.split("/")[0] == "targets":
                found.append(thing)

        self.file.visititems(see)
        return found

    def values(self, shape, dtype):
        if dtype.subdtype is not None:
            return self.values(shape + dtype.shape, dtype.base)
        count = int(np.prod(shape, dtype=np.int64))
        if h5py.check_string_dtype(dtype) is not None and dtype.kind == "O":
            texts = [self.random.choice(["", "a", "changed", "x" * 90]) for _ in range(count)]
            return np.array(texts, object).reshape(shape)
        if dtype.kind == "O":
            raise TypeError("values of no interest")
        if dtype.names is not None:
            values = np.zeros(count, dtype)
            for name in dtype.names:
                member = dtype.fields[name][0]
                if member.kind != "O":
                    values[name] = self.values((count,) + member.shape, member.base)
            return values.reshape(shape)
        enum = h5py.check_enum_dtype(dtype)
        if enum is not None:
            return self.numpy.choice(list(enum.values()), count).astype(dtype).reshape(shape)
        if dtype.kind in "SV":
            return np.frombuffer(b"abc" * (count * dtype.itemsize), dtype, count).reshape(shape)
        return self.numpy.integers(0, 100, count).astype(dtype).reshape(shape)

    def group(self):
        self.random.choice(self.objects(h5py.Group)).create_group(self.name("g"))

    def dataset(self):
        group = self.random.choice(self.objects(h5py.Group))
        shape = tuple(self.random.randint(1, 12) for _ in range(self.random.randint(0, 3)))
        options = {}
        if shape and self.random.random() < 0.6:
            options["chunks"] = tuple(self.random.randint(1, n) for n in shape)
            options["maxshape"] = tuple(self.random.choice([None, n, n + 4]) for n in shape)
            if self.random.random() < 0.5:
                options.update(compression="gzip", shuffle=True)
        dtype = self.random.choice(["<i4", ">f8", "u1", h5py.string_dtype(), "S7"])
        made = group.create_dataset(self.name("d"), shape=shape, dtype=dtype, **options)
        made[()] = self.values(shape, made.dtype)

    def rewrite(self):
        found = self.objects(h5py.Dataset)
        if not found:
            return
        dataset = self.random.choice(found)
        if dataset.shape is None or 0 in dataset.shape:
            return
        cut = tuple(slice(self.random.randint(0, n - 1), n) for n in dataset.shape)
        if self.random.random() < 0.4:
            cut = tuple(slice(0, n) for n in dataset.shape)
        shape = tuple(c.stop - c.start for c in cut)
        values = self.values(shape, dataset.dtype)
        dataset[cut if cut else ()] = values if shape else values[()]

    def resize(self):
        found = [d for d in self.objects(h5py.Dataset) if d.chunks]
        if found:
            dataset = self.random.choice(found)
            tops = [n + 8 if most is None else most for n, most in zip(dataset.shape, dataset.maxshape)]
            dataset.resize(tuple(self.random.randint(0, max(0, top)) for top in tops))

    def link(self):
        group = self.random.choice(self.objects(h5py.Group))
        kind = self.random.randrange(3)
        if kind == 0:
            group[self.name("soft")] = h5py.SoftLink("/nowhere")
        elif kind == 1:
            group[self.name("external")] = h5py.ExternalLink("gone.h5", "/x")
        else:
            group[self.name("hard")] = self.random.choice(self.objects(h5py.Dataset) or [self.file["/"]])

    def some_link(self):
        groups = [g for g in self.objects(h5py.Group) if [n for n in g if n != "targets"]]
        if not groups:
            return None
        group = self.random.choice(groups)
        return group, self.random.choice([n for n in group if n != "targets"])

    def delete(self):
        found = self.some_link()
        if found:
            del found[0][found[1]]

    def move(self):
        found = self.some_link()
        if found:
            found[0].move(found[1], self.name("moved"))

    def many(self):
        group = self.random.choice(self.objects(h5py.Group))
        for _ in range(self.random.choice([9, 40])):
            group.create_group(self.name("n"))

    def attribute(self):
        thing = self.random.choice(self.objects((h5py.Group, h5py.Dataset)) + [self.file["/"]])
        for _ in range(self.random.choice([1, 1, 3, 12])):
            kind = self.random.randrange(4)
            if kind == 0 and len(thing.attrs):
                del thing.attrs[self.random.choice(list(thing.attrs))]
            elif kind == 1 and len(thing.attrs):
                thing.attrs[self.random.choice(list(thing.attrs))] = self.random.choice(["text", 7, [1.5, 2]])
            elif kind == 2:
                thing.attrs[self.name("a")] = ["one", "and two"]
            else:
                thing.attrs[self.name("a")] = np.arange(self.random.choice([0, 1, 30]), dtype=">i2")

    def run(self):
        edits = [self.group, self.dataset, self.rewrite, self.rewrite, self.rewrite, self.resize, self.link,
                 self.delete, self.move, self.many, self.attribute, self.attribute]
        for _ in range(self.random.randint(4, 16)):
            edit = self.random.choice(edits)
            try:
                edit()
                self.done[edit.__name__] += 1
            except Exception as problem:
                self.refused.append(edit.__name__ + ": " + repr(problem)[:160])
            if self.random.random() < 0.1:
                self.file.flush()


def main(seed, bounds, out, files):
    for number, path in enumerate(files):
        child = os.fork()
        if child == 0:
            signal.alarm(SECONDS_PER_FILE)
            content = {"file": path}
            try:
                with h5py.File(path, "r+", libver=bounds) as file:
                    editor = Editor(file, seed * 1000003 + number)
                    editor.run()
                content.update(done=editor.done, refused=editor.refused)
            except Exception as problem:
                content["error"] = repr(problem)[:200]
            report(out, number, content)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        if status != 0:
            report(out, number, {"file": path, "error": f"h5py ended with status {status}"})


def report(out, number, content):
    with open(os.path.join(out, f"{number}.json"), "w") as stream:
        json.dump(content, stream)


if __name__ == "__main__":
    main(int(sys.argv[1]), (sys.argv[2], sys.argv[3]), sys.argv[4], sys.argv[5:])
