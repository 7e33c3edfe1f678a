"""Reads small boxes with h5py; SmallTask sends one command per line.

Arguments: the file, the dataset, a file with the row and column of each box as i32, rows and
columns of a box.

    read MILLISECONDS      prints the seconds per read, and the sum over one pass over all boxes
"""

import sys
import time

try:
    import h5py
    import numpy
except ImportError as missing:
    sys.exit(f"{missing}")

path, name, list_path, rows, columns = sys.argv[1:]
rows, columns = int(rows), int(columns)
places = [(int(r), int(c)) for r, c in numpy.fromfile(list_path, "<i4").reshape(-1, 2)]
file = h5py.File(path, "r", rdcc_nbytes=256 << 20, rdcc_nslots=12421)
dataset = file[name]

if rows == columns == 1:

    def read(row, column):
        return dataset[row, column]

elif rows == 1:

    def read(row, column):
        return dataset[row, column : column + columns]

else:

    def read(row, column):
        return dataset[row : row + rows, column : column + columns]


total = sum(int(read(*place).sum()) for place in places)
print("ready", flush=True)
for line in sys.stdin:
    deadline = time.perf_counter() + int(line.split()[1]) / 1000
    reads = 0
    start = now = time.perf_counter()
    while now < deadline:
        for row, column in places[reads % len(places) :][:64]:
            read(row, column)
        reads += 64
        now = time.perf_counter()
    print((now - start) / reads, total, flush=True)
