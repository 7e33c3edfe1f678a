"""Writes the same content to plain, family, split and multi files, with both library bounds.

Prints a line for each file: the path to open, a tab, and the path of the member with the
superblock.
"""

import ctypes
import sys

import h5py
import numpy as np


def fill(f):
    f.attrs["a"] = np.arange(5)
    g = f.create_group("g")
    f["contiguous"] = np.arange(1000, dtype="i4")
    f.create_dataset("chunked", data=np.arange(600.0).reshape(20, 30), chunks=(7, 8), compression="gzip")
    f.create_dataset("strings", data=["a", "bcd", ""] * 4, dtype=h5py.string_dtype())
    for i in range(40):
        g[f"n{i:02}"] = i


def multi(name, bound):
    """Writes a multi file with the HDF5 library that h5py has loaded; h5py has no multi driver."""
    maps = [line.split()[-1] for line in open("/proc/self/maps")]
    library = ctypes.CDLL(next(m for m in maps if "libhdf5" in m and "_hl" not in m))
    call = library.H5Pset_fapl_multi
    call.argtypes = [ctypes.c_int64] + [ctypes.c_void_p] * 4 + [ctypes.c_bool]
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    low = h5py.h5f.LIBVER_EARLIEST if bound == "earliest" else h5py.h5f.LIBVER_LATEST
    access.set_libver_bounds(low, h5py.h5f.LIBVER_LATEST)
    if call(access.id, None, None, None, None, True) < 0:
        raise SystemExit("no multi driver")
    with h5py.File(h5py.h5f.create(name.encode(), h5py.h5f.ACC_TRUNC, fapl=access)) as f:
        fill(f)


for bound in ("earliest", "latest"):
    def made(name, first):
        print(name, first, sep="\t")

    name = f"plain_{bound}.h5"
    with h5py.File(name, "w", libver=bound) as f:
        fill(f)
    made(name, name)
    name = f"family_{bound}_%05d.h5"
    with h5py.File(name, "w", driver="family", memb_size=1024, libver=bound) as f:
        fill(f)
    made(name, name % 0)
    # HDF5 1.10 cannot make a family with a user block.
    if h5py.version.hdf5_version_tuple[0] > 1:
        name = f"block_{bound}-%d.h5"
        with h5py.File(name, "w", driver="family", memb_size=2048, libver=bound, userblock_size=1024) as f:
            fill(f)
        made(name, name % 0)
    name = f"split_{bound}"
    with h5py.File(name, "w", driver="split", libver=bound) as f:
        fill(f)
    made(name, name + "-m.h5")
    name = f"multi_{bound}"
    multi(name, bound)
    made(name, name + "-s.h5")
