"""Compares files with the content in a model, using the reader in tools/read_sparse.py.

    python check_model.py TOOLS EXPECTED

EXPECTED has one line of JSON per file:

    {"file": NAME, "datasets": [{"path", "storage", "shape", "cells": [[coordinates, value], ...]}, ...]}

with values as read_sparse.plain() returns them, and "*" for a reference that is not null. The cells are the
defined elements of a sparse dataset, or the written elements of another dataset. Prints the first difference
of each dataset; the exit code is 1 if there is one.
"""

import json
import os
import struct
import sys

import numpy as np

sys.path.insert(0, sys.argv[1])
import read_sparse as reader  # noqa: E402


def same(expected, actual):
    if expected == "*":
        return isinstance(actual, str) and any(bytes.fromhex(actual))
    if isinstance(expected, list):
        return (isinstance(actual, list) and len(expected) == len(actual)
                and all(same(e, a) for e, a in zip(expected, actual)))
    if isinstance(expected, float):
        return isinstance(actual, float) and struct.pack("<d", expected) == struct.pack("<d", actual)
    return type(expected) is type(actual) and expected == actual


def cell(values, at):
    value = values[at]
    size = value.dtype.itemsize if isinstance(value, np.ndarray) else values.dtype.itemsize
    return reader.plain(value, size)


def chunked(data, expected):
    """Returns the first difference of a dataset with structured chunks."""
    found = {}
    positions = set()
    for chunk in reader.structured_chunks(data):
        part = reader.decode_chunk(data, chunk)
        positions.add(tuple(chunk.start))
        if not len(part.coords):
            return "a chunk in which nothing is defined: start=%s" % chunk.start
        for i, coords in enumerate(part.coords.tolist()):
            if any(c >= n for c, n in zip(coords, data.shape)):
                return "an element beyond the extent: coordinates=%s shape=%s" % (coords, data.shape)
            found[tuple(coords)] = cell(part.values, i)
    wanted = {tuple(coords): value for coords, value in expected["cells"]}
    fill = reader.plain(data.fill, data.datatype.given.base.itemsize)
    for coords, value in wanted.items():
        if coords not in found:
            return "not defined: coordinates=%s expected=%s" % (coords, value)
        if not same(value, found[coords]):
            return "value: coordinates=%s expected=%s actual=%s" % (coords, value, found[coords])
    for coords, value in found.items():
        if coords not in wanted and (expected["storage"] == "SPARSE" or not same(fill, value)):
            return "defined: coordinates=%s actual=%s" % (coords, value)
    return None


def flat(name, data, expected):
    """Returns the first difference of a dataset with ordinary chunks."""
    array = reader.read_dense(name, expected["path"])
    wanted = {tuple(coords): value for coords, value in expected["cells"]}
    fill = reader.plain(data.fill, data.datatype.given.base.itemsize)
    for coords in np.ndindex(*data.shape):
        value = wanted.get(coords, fill)
        actual = cell(array, coords)
        if not same(value, actual):
            return "value: coordinates=%s expected=%s actual=%s" % (coords, value, actual)
    return None


def difference(name, expected):
    data = reader.Dataset.at(name, expected["path"])
    if list(data.shape) != expected["shape"]:
        return "shape: expected=%s actual=%s" % (expected["shape"], data.shape)
    structured = data.layout.kind == 4
    if structured != (expected["storage"] != "DENSE"):
        return "storage: expected=%s layout class=%d" % (expected["storage"], data.layout.kind)
    return chunked(data, expected) if structured else flat(name, data, expected)


def main():
    bad = datasets = cells = 0
    with open(sys.argv[2], encoding="ascii") as lines:
        for line in lines:
            file = json.loads(line)
            for expected in file["datasets"]:
                datasets += 1
                cells += len(expected["cells"])
                try:
                    what = difference(file["file"], expected)
                except reader.FormatError as e:
                    what = "unreadable: %s" % e
                if what is not None:
                    bad += 1
                    print("%s:%s: %s" % (os.path.basename(file["file"]), expected["path"], what))
    print("%d %d" % (datasets, cells))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
