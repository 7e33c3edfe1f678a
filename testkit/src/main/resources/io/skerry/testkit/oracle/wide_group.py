"""Writes FILE with a group of COUNT links, alternately hard and soft, in the format of LIBVER."""

import sys

import h5py


def main():
    path, count, libver = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    with h5py.File(path, "w", libver=libver) as file:
        file["d"] = [1, 2, 3]
        root = h5py.h5g.open(file.id, b"/")
        wide = file.create_group("wide")
        links = wide.id.links
        for i in range(count):
            if i % 2:
                links.create_soft(b"link%07d" % i, b"/d")
            else:
                links.create_hard(b"link%07d" % i, root, b"d")


if __name__ == "__main__":
    main()
