"""Writes a file whose metadata is stored in a metadata cache image, and the same file without one.

h5py does not provide the setting, so the script calls the HDF5 library that h5py has loaded.
"""
import ctypes
import re
import sys

import h5py
import numpy as np


class Config(ctypes.Structure):
    _fields_ = [
        ("version", ctypes.c_int32),
        ("generate_image", ctypes.c_bool),
        ("save_resize_status", ctypes.c_bool),
        ("entry_ageout", ctypes.c_int32),
    ]


def library():
    with open("/proc/self/maps") as maps:
        names = set(re.findall(r"(/\S*libhdf5[-.\w]*\.so\S*)", maps.read()))
    return ctypes.CDLL(sorted(n for n in names if "_hl" not in n)[0])


def make(path, image):
    fapl = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    fapl.set_libver_bounds(h5py.h5f.LIBVER_LATEST, h5py.h5f.LIBVER_LATEST)
    if image:
        set_config = library().H5Pset_mdc_image_config
        set_config.argtypes = [ctypes.c_int64, ctypes.POINTER(Config)]
        if set_config(fapl.id, ctypes.byref(Config(1, True, False, -1))) < 0:
            sys.exit("the library refused the setting")
    with h5py.File(h5py.h5f.create(path.encode(), h5py.h5f.ACC_TRUNC, fapl=fapl)) as f:
        f["group/contiguous"] = np.arange(10)
        for i in range(20):
            f["group"].attrs["attribute %d" % i] = i
            f.create_group("many/member %d" % i)
        f.create_dataset("fixed", data=np.arange(3000.0), chunks=(1,))
        f.create_dataset("growing", data=np.arange(100.0), chunks=(7,), maxshape=(None,))
        f.create_dataset(
            "both", data=np.arange(100).reshape(10, 10), chunks=(3, 3), maxshape=(None, None)
        )
        f.create_dataset("texts", data=["a", "bc"], dtype=h5py.string_dtype())


make(sys.argv[1], True)
make(sys.argv[2], False)
