"""Writes two files of 1 MB to FOLDER with a chunk that inflates to 1 GiB: excess.h5, of which the
chunk is declared to have 4 KiB, and declared.h5, of which it is declared to have 1 GiB.
"""

import os
import sys
import zlib

import h5py


def main():
    deflate = zlib.compressobj(9)
    part = bytes(1 << 20)
    bomb = b"".join(deflate.compress(part) for _ in range(1024)) + deflate.flush()
    for name, elements in ("excess.h5", 1024), ("declared.h5", 1 << 28):
        with h5py.File(os.path.join(sys.argv[1], name), "w", libver="latest") as file:
            data = file.create_dataset(
                "x", (elements,), "i4", chunks=(elements,), compression="gzip"
            )
            data.id.write_direct_chunk((0,), bomb)


if __name__ == "__main__":
    main()
