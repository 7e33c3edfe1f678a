"""read_filtered.py FILE: reads every dataset with h5py and the filters that are installed.

Prints a line for each dataset: its name, then the sha256 of its values, or "unavailable" and the
missing filters. If hdf5plugin is installed, its filters are used too.
"""
import hashlib
import sys

import h5py

try:
    import hdf5plugin  # noqa: F401
except ImportError:
    pass

with h5py.File(sys.argv[1], "r") as f:
    for name, d in f.items():
        plist = d.id.get_create_plist()
        filters = [plist.get_filter(i)[0] for i in range(plist.get_nfilters())]
        missing = [n for n in filters if not h5py.h5z.filter_avail(n)]
        if missing:
            print(name, "unavailable", *missing)
        else:
            print(name, hashlib.sha256(d[()].tobytes()).hexdigest())
