"""Makes virtual datasets and reads them with h5py; VirtualReads sends one command per line.

Arguments: the folder, the number of source files, the number of mappings to one file.

    whole       opens frames.h5 and reads all frames
    share I N   opens frames.h5 and reads the share I of N equal shares of the frames
    rows        opens frames.h5 and reads 1000 frames
    one         opens mappings.h5 and reads one row
    defined     opens mappings.h5 and finds the mapped elements; with h5py this is possible only by
                adding the selections of the mappings

Each command prints the seconds, and the sum of the values or the number of elements. The command
"version" prints the version of HDF5.
"""

import os
import sys
import time

try:
    import h5py
    import numpy
    import resource
except ImportError as missing:
    sys.exit(f"{missing}")

folder, frames, mappings = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
os.chdir(folder)
SIDE, WIDTH = 64, 16

if not os.path.exists("frames.h5"):
    layout = h5py.VirtualLayout((frames, SIDE, SIDE), "<u2")
    for i in range(frames):
        with h5py.File(f"frame{i:05d}.h5", "w") as file:
            file["data"] = numpy.full((SIDE, SIDE), i % 50000, "<u2")
        layout[i] = h5py.VirtualSource(f"frame{i:05d}.h5", "data", (SIDE, SIDE))
    with h5py.File("frames.tmp", "w") as file:
        file.create_virtual_dataset("v", layout)
    os.rename("frames.tmp", "frames.h5")

if not os.path.exists("mappings.h5"):
    with h5py.File("rows.h5", "w") as file:
        file["data"] = numpy.arange(mappings * WIDTH, dtype="<i4").reshape(mappings, WIDTH)
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    to = h5py.h5s.create_simple((mappings, WIDTH))
    source = h5py.h5s.create_simple((mappings, WIDTH))
    for i in range(mappings):
        to.select_hyperslab((i, 0), (1, 1), None, (1, WIDTH))
        source.select_hyperslab((mappings - 1 - i, 0), (1, 1), None, (1, WIDTH))
        plist.set_virtual(to, b"rows.h5", b"data", source)
    with h5py.File("mappings.tmp", "w") as file:
        space = h5py.h5s.create_simple((mappings, WIDTH))
        h5py.h5d.create(file.id, b"v", h5py.h5t.STD_I32LE, space, plist)
    os.rename("mappings.tmp", "mappings.h5")


def whole():
    with h5py.File("frames.h5", "r") as file:
        return [file["v"][:]]


def share(number, count):
    with h5py.File("frames.h5", "r") as file:
        each = frames // int(count)
        return [file["v"][int(number) * each : (int(number) + 1) * each]]


def rows():
    with h5py.File("frames.h5", "r") as file:
        frame = file["v"]
        return [frame[i * 7919 % frames] for i in range(1000)]


def one():
    with h5py.File("mappings.h5", "r") as file:
        return [file["v"][mappings // 2]]


def defined():
    with h5py.File("mappings.h5", "r") as file:
        spaces = [mapping.vspace for mapping in file["v"].virtual_sources()]
        count = sum(space.get_select_npoints() for space in spaces)
        return [numpy.array([count])]


print("ready", flush=True)
for line in sys.stdin:
    task, *arguments = line.split()
    if task == "version":
        print(h5py.version.hdf5_version, flush=True)
        continue
    start = time.perf_counter()
    tasks = {"whole": whole, "share": share, "rows": rows, "one": one, "defined": defined}
    read = tasks[task](*arguments)
    passed = time.perf_counter() - start
    print(passed, sum(int(part.sum(dtype="i8")) for part in read), flush=True)
