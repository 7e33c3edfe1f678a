"""Writes virtual datasets over files in a folder; prints path, extent and SHA-256 of each."""
import hashlib
import sys

import h5py
import numpy as np

folder, seed = sys.argv[1], int(sys.argv[2])
rng = np.random.default_rng(seed)
PARTS, ROWS, COLUMNS = 5, 6, 8


def part(i):
    return "%s/part-%d.h5" % (folder, i)


for i in range(PARTS):
    with h5py.File(part(i), "w", libver="latest") as f:
        rows = rng.integers(0, 2**31, (ROWS + i, COLUMNS), dtype="<i4")
        f.create_dataset("rows", data=rows, chunks=(2, 3), maxshape=(None, COLUMNS), compression=4)
        f.create_dataset("frame", data=rows[0], dtype=">i4")

whole = folder + "/whole.h5"
with h5py.File(whole, "w", libver="latest") as f:
    stacked = h5py.VirtualLayout((PARTS + 1, COLUMNS), "<i4")
    for i in range(PARTS):
        stacked[i] = h5py.VirtualSource(part(i), "frame", (COLUMNS,), dtype="<i4")
    f.create_virtual_dataset("stacked", stacked, fillvalue=-7)
    strided = h5py.VirtualLayout((PARTS * 2, COLUMNS), "<i8")
    for i in range(PARTS):
        source = h5py.VirtualSource(part(i), "rows", (ROWS + i, COLUMNS), dtype="<i4")
        strided[i::PARTS, ::2] = source[0:ROWS:3, 1::2]
    f.create_virtual_dataset("strided", strided)
    missing = h5py.VirtualLayout((4, COLUMNS), "<i4")
    missing[0] = h5py.VirtualSource("nowhere.h5", "frame", (COLUMNS,), dtype="<i4")
    missing[2] = h5py.VirtualSource(part(2), "frame", (COLUMNS,), dtype="<i4")
    f.create_virtual_dataset("missing", missing, fillvalue=3)
    growing = h5py.VirtualLayout((ROWS, COLUMNS), "<i4", maxshape=(None, COLUMNS))
    source = h5py.VirtualSource(part(1), "rows", (ROWS, COLUMNS), "<i4", (None, COLUMNS))
    growing[0 : h5py.h5s.UNLIMITED, :] = source[0 : h5py.h5s.UNLIMITED, :]
    f.create_virtual_dataset("growing", growing)
    f["twice"] = f["stacked"]

with h5py.File(whole, "r") as f:
    for name in ("stacked", "strided", "missing", "growing", "twice"):
        values = f[name][...]
        digest = hashlib.sha256(values.tobytes()).hexdigest()
        print("/" + name, ",".join(map(str, values.shape)), digest, sep="\t")
