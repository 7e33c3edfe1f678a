"""Writes and reads frames with h5py; H5pyFrames sends one command per line.

Arguments: a file of frames (Frames.save documents its layout), the HDF5 file.

    write frames|whole     prints the seconds of a write, including forcing the file to the device
    read frames|whole      prints the seconds needed to find coordinates and values
    checksum frames|whole  prints the sum over the last read, as a signed 64-bit number
"""

import os
import sys
import time

try:
    import h5py
    import numpy
except ImportError as missing:
    sys.exit(f"{missing}")

SIDE = 1024
material, path = sys.argv[1:]


def load():
    with open(material, "rb") as file:
        (count,) = numpy.fromfile(file, "<u4", 1)
        frames = numpy.zeros((count, SIDE * SIDE), "<u2")
        for frame in frames:
            (kept,) = numpy.fromfile(file, "<u4", 1)
            indices = numpy.fromfile(file, "<u4", kept)
            frame[indices] = numpy.fromfile(file, "<u2", kept)
    return frames.reshape(count, SIDE, SIDE)


def write(pace):
    with h5py.File(path, "w") as file:
        dataset = file.create_dataset(
            "frames", FRAMES.shape, FRAMES.dtype, chunks=(1, SIDE, SIDE), shuffle=True, compression="gzip"
        )
        if pace == "whole":
            dataset[...] = FRAMES
        else:
            for i, frame in enumerate(FRAMES):
                dataset[i] = frame
    with open(path, "rb") as file:
        os.fsync(file.fileno())


def read(pace):
    """Returns pairs of coordinates, including the index of the frame, and values."""
    with h5py.File(path, "r") as file:
        dataset = file["frames"]
        if pace == "whole":
            return [found(dataset[...])]
        parts = []
        for i in range(dataset.shape[0]):
            (rows, columns), values = found(dataset[i])
            parts.append(((i, rows, columns), values))
        return parts


def found(pixels):
    places = numpy.nonzero(pixels)
    return places, pixels[places]


def checksum(parts):
    total = 0
    for (frame, rows, columns), values in parts:
        index = (numpy.asarray(frame, "i8") * SIDE + rows) * SIDE + columns
        total += int(((index + 1) * values.astype("i8")).sum())
    total &= 2**64 - 1
    return total - 2**64 if total >= 2**63 else total


FRAMES = load()
print("ready", flush=True)
last = []
for line in sys.stdin:
    command, pace = line.split()
    if command == "checksum":
        print(checksum(last), flush=True)
        continue
    start = time.perf_counter()
    if command == "write":
        write(pace)
    else:
        last = read(pace)
    print(time.perf_counter() - start, flush=True)
