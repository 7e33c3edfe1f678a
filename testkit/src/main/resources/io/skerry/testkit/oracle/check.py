"""check.py FILE EXPECTATIONS: reads a file with h5py and compares it with its expected content."""
import hashlib
import sys

import h5py
import numpy as np

problems, checked = [], 0


def extent(text):
    return tuple(int(n) for n in text.split(",")) if text else ()


def check(line, what, actual, expected):
    if actual != expected:
        problems.append("%s: %s=%r expected=%r" % (line[1], what, actual, expected))


def dataset(line):
    d = f[line[1]]
    check(line, "dtype", d.dtype, np.dtype(line[2]))
    check(line, "shape", d.shape, extent(line[3]))
    check(line, "sha256", hashlib.sha256(d[()].tobytes()).hexdigest(), line[4])
    # No filter may be skipped: HDF5 that rewrites such a chunk can keep the old mask in the index.
    if d.chunks and d.id.get_num_chunks() < 100:
        masks = {d.id.get_chunk_info(i).filter_mask for i in range(d.id.get_num_chunks())}
        check(line, "filter masks", masks - {0}, set())


def attribute(line):
    a = h5py.h5a.open(f[line[1]].id, line[2].encode())
    check(line, line[2] + " dtype", a.dtype, np.dtype(line[3]))
    check(line, line[2] + " shape", a.shape, extent(line[4]))
    value = np.zeros(a.shape, a.dtype)
    a.read(value, mtype=a.get_type())
    check(line, line[2], value.tobytes().hex(), line[5])


def group(line):
    check(line, "links", len(list(f[line[1]])), int(line[2]))
    check(line, "attributes", len(list(f[line[1]].attrs)), int(line[3]))


def soft(line):
    link = f.get(line[1], getlink=True)
    check(line, "soft link", (type(link).__name__, link.path), ("SoftLink", line[2]))


def external(line):
    link = f.get(line[1], getlink=True)
    check(line, "external link", (type(link).__name__, link.filename, link.path),
          ("ExternalLink", line[2], line[3]))


with h5py.File(sys.argv[1], "r") as f:
    for text in open(sys.argv[2], encoding="utf-8"):
        fields = text.rstrip("\n").split("\t")
        try:
            globals()[fields[0]](fields)
        except Exception as e:
            problems.append("%s: %s: %s" % (fields[1], type(e).__name__, e))
        checked += 1

print("checked %d, wrong %d" % (checked, len(problems)))
print("\n".join(problems[:20]))
sys.exit(1 if problems else 0)
