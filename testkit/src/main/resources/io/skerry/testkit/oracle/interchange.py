"""Compares interchange forms with scipy, or with plain numpy if scipy is not installed.

check FOLDER   compares the output of skerry export with FOLDER/expected.h5, and prints the library
               that has read it
make FOLDER    makes files of each form, and FOLDER/made.h5 with their content
"""
import sys

import h5py
import numpy as np

try:
    import scipy.io
    import scipy.sparse
except ImportError:
    scipy = None


def native(data):
    """Returns values in a type that scipy.sparse supports: native byte order, no 16-bit reals."""
    return data.astype("f4" if data.dtype.str[1:] == "f2" else data.dtype.newbyteorder("="))


def compressed(group, kind):
    """Returns the matrix in a group in AnnData form, and a mask of the listed elements."""
    assert isinstance(group.attrs["encoding-type"], str)
    assert group.attrs["encoding-type"] == kind + "_matrix"
    assert group.attrs["encoding-version"] == "0.1.0"
    shape = tuple(int(n) for n in group.attrs["shape"])
    data, indices, indptr = (group[n][:] for n in ("data", "indices", "indptr"))
    assert indices.dtype == indptr.dtype
    major = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    rows, columns = (major, indices) if kind == "csr" else (indices, major)
    values = np.zeros(shape, data.dtype)
    values[rows, columns] = data
    mask = np.zeros(shape, bool)
    mask[rows, columns] = True
    assert mask.sum() == len(data)
    if scipy:
        make = scipy.sparse.csr_matrix if kind == "csr" else scipy.sparse.csc_matrix
        theirs = make((native(data), indices, indptr), shape=shape)
        theirs.check_format(full_check=True)
        assert theirs.has_canonical_format
        assert np.array_equal(theirs.toarray(), values)
    return values, mask


def listed(group):
    shape = tuple(int(n) for n in group.attrs["shape"])
    data, coords = group["data"][:], group["coords"][:]
    values = np.zeros(shape, data.dtype)
    values[tuple(coords)] = data
    mask = np.zeros(shape, bool)
    mask[tuple(coords)] = True
    if scipy and hasattr(scipy.sparse, "coo_array") and len(shape) == 2:
        theirs = scipy.sparse.coo_array((native(data), tuple(coords)), shape=shape)
        assert np.array_equal(theirs.toarray(), values)
    return values, mask


def number(text, dtype):
    return dtype.type(int(text) if dtype.kind in "iu" else float(text))


def text(path, dtype):
    with open(path) as f:
        lines = [line.split() for line in f if not line.startswith("%")]
    shape = tuple(int(n) for n in lines[0][:2])
    values = np.zeros(shape, dtype)
    mask = np.zeros(shape, bool)
    for row, column, *parts in lines[1:]:
        at = int(row) - 1, int(column) - 1
        value = [number(p, np.dtype("f8") if dtype.kind == "c" else dtype) for p in parts]
        values[at] = complex(*value) if dtype.kind == "c" else value[0]
        mask[at] = True
    assert mask.sum() == int(lines[0][2])
    if scipy:
        theirs = scipy.io.mmread(path).toarray()
        assert np.array_equal(theirs.astype(dtype), values), path
    return values, mask


def dense(f, name):
    d = f[name]
    if "defined-mask" in d.attrs:
        truths = f[d.attrs["defined-mask"]]
        assert truths.dtype == bool
        return d[...], truths[...]
    return d[...], d[...] != d.fillvalue


def check(folder):
    with h5py.File(folder + "/expected.h5") as expected, h5py.File(folder + "/forms.h5") as f:
        for name in expected["values"]:
            values, mask = expected["values"][name][...], expected["mask"][name][...] != 0
            found = {
                "csr": lambda: compressed(f["csr"][name], "csr"),
                "csc": lambda: compressed(f["csc"][name], "csc"),
                "coo": lambda: listed(f["coo"][name]),
                "dense": lambda: dense(f["dense"], name),
                "mtx": lambda: text(folder + "/" + name + ".mtx", values.dtype),
            }
            for form, read in found.items():
                got, defined = read()
                assert got.dtype == values.dtype or form == "mtx", (form, name, got.dtype)
                assert np.array_equal(defined, mask), (form, name)
                assert np.array_equal(got[mask], values[mask]), (form, name)
            print(name, "5 forms,", "scipy" if scipy else "numpy")


def put(group, matrix, kind):
    rows, columns = np.nonzero(matrix)
    if kind == "csc":
        order = np.lexsort((rows, columns))
        rows, columns = rows[order], columns[order]
    major, minor = (rows, columns) if kind == "csr" else (columns, rows)
    size = matrix.shape[0 if kind == "csr" else 1]
    group["data"] = matrix[rows, columns]
    group["indices"] = minor.astype("i4")
    ends = np.cumsum(np.bincount(major, minlength=size))
    group["indptr"] = np.concatenate([[0], ends]).astype("i4")


def make(folder):
    rng = np.random.default_rng(9)
    with h5py.File(folder + "/made.h5", "w") as f:
        for kind in ("csr", "csc"):
            matrix = rng.integers(0, 3, (37, 23)) * rng.integers(0, 2, (37, 23))
            matrix = matrix.astype("f4")
            f["expected/" + kind] = matrix
            group = f.create_group(kind)
            group.attrs["encoding-type"] = kind + "_matrix"
            group.attrs["encoding-version"] = "0.1.0"
            group.attrs["shape"] = matrix.shape
            put(group, matrix, kind)
        matrix = rng.integers(0, 2, (11, 50)).astype("i4") * 7
        f["expected/old"] = matrix
        old = f.create_group("old")
        old.attrs["h5sparse_format"] = "csr"
        old.attrs["h5sparse_shape"] = matrix.shape
        put(old, matrix, "csr")
        matrix = (rng.integers(0, 2, (40, 30)) * rng.integers(1, 9, (40, 30))).astype("i4")
        f["expected/matrix"] = matrix
        tenx = f.create_group("matrix")
        tenx["shape"] = np.array(matrix.shape, "i4")
        tenx["barcodes"] = np.array([b"A%d-1" % i for i in range(30)])
        tenx["features/id"] = np.array([b"G%d" % i for i in range(40)])
        put(tenx, matrix, "csc")
        if scipy:
            real = np.round(rng.random((9, 14)), 12) * rng.integers(0, 2, (9, 14))
            f["expected/real"] = real
            scipy.io.mmwrite(folder + "/real.mtx", scipy.sparse.coo_matrix(real), precision=17)
            whole = rng.integers(-9, 9, (12, 12))
            whole = whole + whole.T
            f["expected/symmetric"] = whole
            scipy.io.mmwrite(
                folder + "/symmetric.mtx", scipy.sparse.coo_matrix(whole), symmetry="symmetric"
            )
        print(*f["expected"])


{"check": check, "make": make}[sys.argv[1]](sys.argv[2])
