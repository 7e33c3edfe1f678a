"""One rank of the HDF5 library's side of VirtualRanks: TASK FILE RUNS. Rank 0 prints lines:

    absent REASON      this Python has no h5py with the parallel HDF5 library; nothing follows
    hdf5 VERSION       the version of the library
    refused REASON     the ranks cannot read the virtual dataset together; in the runs that follow,
                       each rank opens the file by itself
    run SECONDS SUM    the time of a run, and the sum of the values of all ranks
"""

import os
import resource
import sys
import time


def say(*words):
    print(*words, flush=True)


try:
    from mpi4py import MPI
    import h5py
    if not h5py.get_config().mpi:
        raise ImportError("h5py is built without MPI")
except (ImportError, OSError, RuntimeError) as missing:
    if os.environ.get("OMPI_COMM_WORLD_RANK", "0") == "0":
        say("absent", missing)
    sys.exit(0)

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


def refusal():
    try:
        read(together)
        own = ""
    except (OSError, ValueError) as failed:
        own = " ".join(str(failed).split()) or "no message"
    return next((reason for reason in world.allgather(own) if reason), "")


together = {"driver": "mpio", "comm": world}
refused = refusal()
if world.rank == 0:
    say("hdf5", h5py.version.hdf5_version)
    if refused:
        say("refused", refused)
for _ in range(int(runs)):
    world.Barrier()
    start = time.perf_counter()
    values = read({} if refused else together)
    world.Barrier()
    took = time.perf_counter() - start
    total = world.allreduce(int(values.sum(dtype="i8")))
    if world.rank == 0:
        say("run", f"{took:.6f}", total)
