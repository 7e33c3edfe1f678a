"""One rank of the HDF5 library's side of VirtualRanks: TASK FILE RUNS, a line per run of rank 0.

Each line has the seconds, the sum of the values of all ranks and how the file was opened: "mpio" by
all ranks together, or "alone" by each rank if the library refuses a parallel read of a virtual
dataset.
"""

import resource
import sys
import time

from mpi4py import MPI
import h5py

task, path, runs = sys.argv[1:4]
world = MPI.COMM_WORLD
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def read(options):
    with h5py.File(path, "r", **options) as file:
        data = file["v"]
        share = data.shape[0] // world.size
        first = world.rank * share if task == "share" else 0
        end = first + share if task == "share" else data.shape[0]
        if options:
            with data.collective:
                return data[first:end]
        return data[first:end]


def works(options):
    try:
        read(options)
        failed = 0
    except (OSError, ValueError) as refusal:
        failed = 1
        if world.rank == 0:
            print(f"refused: {refusal}", file=sys.stderr)
    return world.allreduce(failed) == 0


together = {"driver": "mpio", "comm": world}
options, way = (together, "mpio") if works(together) else ({}, "alone")
for _ in range(int(runs)):
    world.Barrier()
    start = time.perf_counter()
    values = read(options)
    world.Barrier()
    took = time.perf_counter() - start
    total = world.allreduce(int(values.sum(dtype="i8")))
    if world.rank == 0:
        print(f"{took:.6f} {total} {way}", flush=True)
