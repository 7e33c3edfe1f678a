"""check_matrix.py FOLDER LINES: compares the datasets of many files with their expected content."""
import hashlib
import os
import sys

import h5py
import numpy as np

problems, checked, name, f = [], 0, None, None


def content(values, member):
    if member == "text":
        return b"".join(v + b"\n" for v in values.reshape(-1))
    numbers = values if member == "-" else values[member]
    return np.ascontiguousarray(numbers).astype("<i8").tobytes()


for line in open(sys.argv[2], encoding="ascii"):
    file, path, member, extent, digest = line.rstrip("\n").split("\t")
    try:
        if file != name:
            if f is not None:
                f.close()
            name, f = file, h5py.File(os.path.join(sys.argv[1], file), "r")
        values = f[path][()]
        shape = ",".join(str(n) for n in values.shape)
        if shape != extent:
            problems.append("%s %s: shape=%s expected=%s" % (file, path, shape, extent))
        if hashlib.sha256(content(values, member)).hexdigest() != digest:
            problems.append("%s %s %s: other values: %r" % (file, path, member, values))
    except Exception as e:
        problems.append("%s %s: %s: %s" % (file, path, type(e).__name__, e))
    checked += 1

print("checked %d, wrong %d" % (checked, len(problems)))
print("\n".join(problems[:20]))
sys.exit(1 if problems else 0)
