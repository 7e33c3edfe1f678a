"""check_sparse.py TOOLS FILE EXPECTATIONS: compares sparse datasets with their expected content.

Uses numpy only.
"""
import hashlib
import sys

import numpy as np

sys.path.insert(0, sys.argv[1])
from read_sparse import read_sparse

problems, checked, elements = [], 0, 0


def check(line, what, actual, expected):
    if actual != expected:
        problems.append("%s: %s=%r expected=%r" % (line[1], what, actual, expected))


for text in open(sys.argv[3], encoding="utf-8"):
    line = text.rstrip("\n").split("\t")
    stored = np.dtype(line[2])
    try:
        sparse = read_sparse(sys.argv[2], line[1])
        check(line, "dtype", sparse["dtype"], stored.newbyteorder("="))
        check(line, "shape", sparse["shape"], tuple(int(n) for n in line[3].split(",")))
        coords = np.ascontiguousarray(sparse["coords"], dtype="<i8").tobytes()
        check(line, "sha256 of coordinates", hashlib.sha256(coords).hexdigest(), line[4])
        values = sparse["values"].astype(stored).tobytes()
        check(line, "sha256 of values", hashlib.sha256(values).hexdigest(), line[5])
        fill = np.array(sparse["fill"], sparse["dtype"]).astype(stored).tobytes().hex()
        check(line, "fill", fill, line[6])
        elements += len(sparse["values"])
    except Exception as e:
        problems.append("%s: %s: %s" % (line[1], type(e).__name__, e))
    checked += 1

print("checked %d, wrong %d, elements %d" % (checked, len(problems), elements))
print("\n".join(problems[:20]))
sys.exit(1 if problems else 0)
