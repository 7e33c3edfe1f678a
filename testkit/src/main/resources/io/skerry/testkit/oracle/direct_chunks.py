"""Lists, copies and writes stored chunks with h5py: direct_chunks.py make|list|copy FILE ...

make FILE       makes FILE.earliest and FILE.latest, with chunked datasets for each kind of index
list FILE       prints the number and size of the chunks of each dataset, and of every chunk the
                coordinates, address, size, filter mask and sha256
copy FILE FROM TO   copies the stored chunks of one dataset into another, and prints whether both
                datasets are then equal
"""
import hashlib
import sys

import h5py
import numpy as np


def make(path):
    rng = np.random.default_rng(5)
    for bound in ("earliest", "latest"):
        with h5py.File(path + "." + bound, "w", libver=bound, userblock_size=512) as f:
            for name, maximum in (
                ("fixed", (21, 34)),
                ("rows", (None, 34)),
                ("columns", (21, None)),
                ("both", (None, None)),
                ("finite", (40, 50)),
            ):
                for filters in ({}, {"compression": "gzip", "shuffle": True}):
                    d = f.create_dataset(
                        name + ("_gzip" if filters else ""),
                        shape=(21, 34),
                        maxshape=maximum,
                        chunks=(4, 10),
                        dtype="<i4",
                        **filters,
                    )
                    d[3:9, 5:22] = rng.integers(0, 1000, (6, 17))
                    d[16:, 30:] = rng.integers(0, 1000, (5, 4))
                    if filters:
                        # A chunk whose second filter was skipped.
                        raw = np.arange(40, dtype="<i4")
                        shuffled = raw.view("u1").reshape(40, 4).T.tobytes()
                        d.id.write_direct_chunk((12, 0), shuffled, filter_mask=2)
            single = f.create_dataset("single", (21, 34), chunks=(21, 34), dtype="<i4")
            single[...] = 3
            early = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            early.set_chunk((4, 10))
            early.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
            space = h5py.h5s.create_simple((21, 34))
            h5py.h5d.create(f.id, b"implicit", h5py.h5t.STD_I32LE, space, early)
            f["implicit"][5, 5] = 9


def chunks(path):
    with h5py.File(path, "r") as f, open(path, "rb") as plain:
        rows = []
        base = 0
        for name in sorted(f):
            d = f[name]
            infos = [d.id.get_chunk_info(i) for i in range(d.id.get_num_chunks())]
            rows.append((name, "count", len(infos), d.id.get_storage_size()))
            # If the unlimited dimension of an extensible array is not the first, HDF5 up to 2.0.0
            # returns coordinates that are computed from the number in the array.
            numbered = any(o >= n for info in infos for o, n in zip(info.chunk_offset, d.shape))
            for info in infos:
                if numbered:
                    column, row = divmod(info.chunk_offset[1] // 10, 6)
                    info = info._replace(chunk_offset=(4 * row, 10 * column))
                else:
                    assert info == d.id.get_chunk_info_by_coord(info.chunk_offset)
                mask, raw = d.id.read_direct_chunk(info.chunk_offset)
                assert mask == info.filter_mask
                plain.seek(info.byte_offset)
                if plain.read(info.size) != raw:
                    # Some versions of HDF5 return an address that does not include the user block.
                    base = f.userblock_size
                rows.append((name, info, hashlib.sha256(raw).hexdigest()))
        for row in rows:
            if row[1] != "count":
                info = row[1]
                at = ",".join(map(str, info.chunk_offset))
                row = (row[0], at, base + info.byte_offset, info.size, info.filter_mask, row[2])
            print(*row, sep="\t")


def copy(path, source, target):
    with h5py.File(path, "r+") as f:
        for i in range(f[source].id.get_num_chunks()):
            at = f[source].id.get_chunk_info(i).chunk_offset
            mask, raw = f[source].id.read_direct_chunk(at)
            f[target].id.write_direct_chunk(at, raw, filter_mask=mask)
    with h5py.File(path, "r") as f:
        print(np.array_equal(f[source][...], f[target][...]))


{"make": make, "list": chunks, "copy": copy}[sys.argv[1]](*sys.argv[2:])
