"""One rank of the HDF5 library's side of ParallelBenchmark, with the arguments of ParallelRank."""

import sys
import time

from mpi4py import MPI
import h5py
import numpy as np

COLUMNS = 1024
CHUNK_ROWS = 256

task, path, source, mib, runs = sys.argv[1:6]
way, storage, shift = task.split("-")
world = MPI.COMM_WORLD
rows = int(mib) * CHUNK_ROWS
half = CHUNK_ROWS // 2 if shift == "shifted" else 0
each = rows // world.size
first = each * world.rank + half
end = min(each * (world.rank + 1) + half, rows)
values = np.fromfile(source, "f4", (end - first) * COLUMNS, offset=4 * first * COLUMNS)
values = values.reshape(end - first, COLUMNS)

# The dataset is created with low-level calls, because create_dataset fills an unfiltered dataset
# with zeros: the allocation of pages, half of the work of a write, would then precede the
# measurement.
layout = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
layout.set_chunk((CHUNK_ROWS, COLUMNS))
layout.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
if storage == "deflate":
    layout.set_shuffle()
    layout.set_deflate(1)


def write():
    f = h5py.File(path, "w", driver="mpio", comm=world, libver="latest")
    space = h5py.h5s.create_simple((rows, COLUMNS))
    d = h5py.Dataset(h5py.h5d.create(f.id, b"d", h5py.h5t.IEEE_F32LE, space, dcpl=layout))
    world.Barrier()
    start = time.perf_counter()
    with d.collective:
        d[first:end] = values
    world.Barrier()
    written = time.perf_counter()
    f.close()
    world.Barrier()
    return written - start, time.perf_counter() - start, 0


def read():
    with h5py.File(path, "r", driver="mpio", comm=world) as f:
        d = f["d"]
        found = np.zeros_like(values)
        world.Barrier()
        start = time.perf_counter()
        with d.collective:
            d.read_direct(found, np.s_[first:end])
        world.Barrier()
        took = time.perf_counter() - start
    return took, took, world.allreduce(int(found.astype("i8").sum()))


for _ in range(int(runs)):
    took, closed, total = write() if way == "write" else read()
    if world.rank == 0:
        print(f"{took:.6f} {closed:.6f} {total}", flush=True)
