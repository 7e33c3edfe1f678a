"""Computes digests of HDF5 files with h5py that do not depend on how the values are stored.

    digest_files.py OUT FILE...

Writes OUT/0.json, OUT/1.json, ... with {"file": ..., "objects": [...]} or {"file": ..., "error":
...}. A process reads several files, because a fork with h5py is slow. A damaged file may crash its
process; a new process then reads the next file.
"""

import hashlib
import json
import os
import signal
import struct
import sys

import h5py
import numpy as np

SECONDS_PER_FILE = 30
FILES_PER_PROCESS = 40


class Canonical:
    """Feeds the canonical form of values into a hash."""

    def __init__(self, file):
        self.file = file
        self.hash = hashlib.sha256()

    def counted(self, content):
        self.hash.update(struct.pack("<I", len(content)))
        self.hash.update(content)

    def put(self, values, dtype):
        string = h5py.check_string_dtype(dtype)
        if string is not None and string.length is None:
            for value in values.ravel():
                self.counted(self.text(value))
        elif h5py.check_ref_dtype(dtype) is not None:
            for value in values.ravel():
                self.counted(self.target(value).encode())
        elif h5py.check_vlen_dtype(dtype) is not None:
            base = np.dtype(h5py.check_vlen_dtype(dtype))
            for value in values.ravel():
                part = np.asarray([] if value is None else value, dtype=base)
                self.hash.update(struct.pack("<I", part.size))
                self.put(part, base)
        elif dtype.subdtype is not None:
            base = dtype.subdtype[0]
            self.put(values if values.dtype == base else np.ascontiguousarray(values).view(base), base)
        elif dtype.names is not None:
            for element in values.ravel():
                for name in dtype.names:
                    self.put(np.asarray(element[name]), dtype.fields[name][0])
        elif dtype.kind in "SV":
            self.hash.update(np.ascontiguousarray(values).tobytes())
        else:
            self.hash.update(np.ascontiguousarray(values).astype(dtype.newbyteorder("<")).tobytes())

    @staticmethod
    def text(value):
        if isinstance(value, bytes):
            return value
        if value is None or isinstance(value, int):
            return b""
        return str(value).encode("utf-8", "surrogateescape")

    def target(self, reference):
        if not reference:
            return ""
        try:
            return self.file[reference].name or ""
        except Exception:
            return "?"


def sha256(file, values, dtype):
    canonical = Canonical(file)
    canonical.put(np.asarray(values), dtype)
    return canonical.hash.hexdigest()


def attributes(file, owner):
    found = []
    for index in range(h5py.h5a.get_num_attrs(owner.id)):
        attribute = h5py.h5a.open(owner.id, index=index)
        entry = {"name": attribute.name.decode("utf-8", "replace")}
        try:
            null = attribute.get_space().get_simple_extent_type() == h5py.h5s.NULL
            entry["shape"] = None if null else list(attribute.shape)
            if not null:
                values = np.empty(attribute.shape, attribute.dtype)
                attribute.read(values)
                entry["sha256"] = sha256(file, values, attribute.dtype)
        except Exception as problem:
            entry["error"] = str(problem)[:80]
        found.append(entry)
    return sorted(found, key=lambda entry: entry["name"])


class Walk:
    """Visits the objects that hard links lead to, depth first, each once."""

    def __init__(self, file):
        self.file = file
        self.seen = set()
        self.objects = []

    def visit(self, path, thing):
        info = h5py.h5o.get_info(thing.id)
        if (info.fileno, info.addr) in self.seen:
            return
        self.seen.add((info.fileno, info.addr))
        entry = {"path": path, "attributes": attributes(self.file, thing)}
        if isinstance(thing, h5py.Group):
            entry["kind"] = "group"
            self.objects.append(entry)
            self.members(path, thing)
            return
        if isinstance(thing, h5py.Dataset):
            entry["kind"] = "dataset"
            try:
                entry["shape"] = None if thing.shape is None else list(thing.shape)
                if thing.shape is not None:
                    entry["sha256"] = sha256(self.file, thing[()], thing.dtype)
            except Exception as problem:
                entry["error"] = str(problem)[:80]
        else:
            entry["kind"] = "datatype"
        self.objects.append(entry)

    def members(self, path, group):
        for name in sorted(group, key=lambda text: text.encode("utf-8", "surrogateescape")):
            try:
                link = group.get(name, getlink=True)
            except Exception:
                continue
            if not isinstance(link, h5py.HardLink):
                continue
            below = (path if path != "/" else "") + "/" + name
            try:
                self.visit(below, group[name])
            except Exception as problem:
                self.objects.append({"path": below, "error": str(problem)[:80]})


def digest(path):
    with h5py.File(path, "r") as file:
        walk = Walk(file)
        walk.visit("/", file["/"])
        return walk.objects


def report(out, number, content):
    with open(os.path.join(out, f"{number}.json"), "w") as stream:
        json.dump(content, stream)


def content(path):
    try:
        return {"file": path, "objects": digest(path)}
    except Exception as problem:
        return {"file": path, "error": str(problem)[:200]}


def main(out, files):
    done = 0
    while done < len(files):
        part = range(done, min(done + FILES_PER_PROCESS, len(files)))
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            for number in part:
                signal.alarm(SECONDS_PER_FILE)
                report(out, number, content(files[number]))
                os.write(writer, b".")
            os._exit(0)
        os.close(writer)
        with open(reader, "rb") as reports:
            done += len(reports.read())
        status = os.waitpid(child, 0)[1]
        if status != 0:
            report(out, done, {"file": files[done], "error": f"h5py ended with status {status}"})
            done += 1


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
