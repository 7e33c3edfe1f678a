"""Tests of read_sparse.py: chunk indexes and filters against files that h5py writes, hostile bytes.

    python3 tools/test_read_sparse.py

Tests that need h5py, or the small sparse files of the data folder, are skipped when they are absent.
"""

import os
import pathlib
import random
import tempfile
import unittest

import numpy as np

import read_sparse as reader

try:
    import h5py
except ImportError:
    h5py = None


def shared_data():
    """The folder data/structured-chunk of a shared folder beside the repository, or None."""
    places = [os.environ.get("SKERRY_SHARED")] + [p / "shared" for p in pathlib.Path(__file__).resolve().parents]
    for place in filter(None, places):
        folder = pathlib.Path(place) / "data" / "structured-chunk"
        if folder.is_dir():
            return folder
    return None


@unittest.skipIf(h5py is None, "h5py is absent")
class AgainstH5py(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "t.h5")

    def check(self, array, written=None, **options):
        with h5py.File(self.path, "w", libver="latest") as file:
            dataset = file.create_dataset("a/b", array.shape, array.dtype, **options)
            for part in written or [np.s_[...]]:
                dataset[part] = array[part]
        with h5py.File(self.path, "r") as file:
            expected = file["a/b"][...]
        actual = reader.read_dense(self.path, "/a/b")
        self.assertEqual(actual.dtype, array.dtype.newbyteorder("="))
        np.testing.assert_array_equal(actual, expected)

    def test_one_chunk(self):
        array = np.arange(60, dtype="<i2").reshape(6, 10)
        self.check(array, chunks=(6, 10))
        self.check(array, chunks=(6, 10), compression=6, shuffle=True, fletcher32=True)

    def test_contiguous_and_never_written(self):
        self.check(np.arange(24, dtype=">u8").reshape(2, 3, 4))
        self.check(np.full((3, 3), 7, "<i4"), written=[np.s_[0:0]], fillvalue=7)

    def test_every_type(self):
        for kind in ("i1", "u1", "<i2", ">u2", "<u4", ">i8", "<f2", ">f4", "<f8", ">f8"):
            with self.subTest(kind):
                values = np.random.default_rng(1).integers(0, 100, (7, 5)).astype(kind)
                self.check(values, chunks=(2, 2), shuffle=True, compression=1)

    def test_fixed_array(self):
        array = np.random.default_rng(2).integers(0, 9, (31, 47)).astype("<u2")
        self.check(array, chunks=(4, 5), written=[np.s_[3:17, 20:30]], fillvalue=3)
        self.check(array, chunks=(4, 5), compression=9, fletcher32=True)

    def test_fixed_array_in_pages(self):
        array = np.arange(5000, dtype="<i4")
        self.check(array, chunks=(2,), written=[np.s_[10:90], np.s_[4100:4700]])
        self.check(array, chunks=(2,), written=[np.s_[4900:]], compression=1)

    def test_fixed_array_counts_maximum_extents(self):
        array = np.arange(60, dtype="<i4").reshape(6, 10)
        self.check(array, chunks=(2, 3), maxshape=(12, 20))

    def test_extensible_array_in_any_dimension(self):
        array = np.random.default_rng(3).integers(0, 9, (13, 9, 7)).astype("<f4")
        for dimension in range(3):
            with self.subTest(dimension):
                maximum = [20, 9, 11]
                maximum[dimension] = None
                self.check(array, chunks=(2, 3, 4), maxshape=tuple(maximum))
                self.check(array, chunks=(2, 3, 4), maxshape=tuple(maximum), compression=4, shuffle=True)

    def test_extensible_array_with_super_blocks(self):
        array = np.arange(3000, dtype="<i8")
        self.check(array, chunks=(1,), maxshape=(None,), written=[np.s_[:1], np.s_[200:260], np.s_[2500:]])

    def test_extensible_array_in_pages(self):
        array = np.arange(140000) % 251
        self.check(array.astype("u1"), chunks=(1,), maxshape=(None,), written=[np.s_[500:520], np.s_[134000:136500]])

    def test_soft_and_external_links(self):
        other = self.path + ".other"
        with h5py.File(other, "w", libver="latest") as file:
            file["x/y"] = np.arange(5)
        with h5py.File(self.path, "w", libver="latest") as file:
            file["g/ext"] = h5py.ExternalLink(os.path.basename(other), "/x")
            file["g/soft"] = h5py.SoftLink("ext/y")
            file["loop"] = h5py.SoftLink("/loop")
        np.testing.assert_array_equal(reader.read_dense(self.path, "/g/soft"), np.arange(5))
        for path, message in (("/loop", "too many links"), ("/g/none", "no such object"), ("/g", "not a dataset")):
            with self.assertRaisesRegex(reader.FormatError, message):
                reader.read_dense(self.path, path)

    def test_an_ordinary_dataset_is_not_sparse(self):
        self.check(np.arange(4), chunks=(2,))
        with self.assertRaisesRegex(reader.FormatError, "not a sparse dataset"):
            reader.read_sparse(self.path, "/a/b")


@unittest.skipIf(shared_data() is None, "the folder data/structured-chunk is absent")
class SmallSparseFiles(unittest.TestCase):
    EXPECTED = {
        "sparse_single.h5": (5, [1, 2, 3], [11, 22, 33]),
        "sparse_single_deflate.h5": (5, [1, 2, 3], [11, 22, 33]),
        "sparse_fa.h5": (12, [1, 2, 3, 10, 11], [11, 22, 33, 44, 55]),
        "sparse_fa_deflate.h5": (12, [1, 2, 3, 10, 11], [11, 22, 33, 44, 55]),
    }

    def test_they_read_as_described(self):
        for name, (extent, coords, values) in self.EXPECTED.items():
            with self.subTest(name):
                sparse = reader.read_sparse(shared_data() / name, "/sparse")
                self.assertEqual(sparse["shape"], (extent,))
                self.assertEqual(sparse["dtype"], np.int32)
                self.assertEqual(sparse["coords"].ravel().tolist(), coords)
                self.assertEqual(sparse["values"].tolist(), values)
                dense = np.zeros(extent, np.int32)
                dense[coords] = values
                np.testing.assert_array_equal(reader.to_dense(sparse), dense)

    def test_damage_is_an_error_or_changes_nothing_but_unchecked_values(self):
        rng = random.Random(4)
        with tempfile.TemporaryDirectory() as folder:
            damaged = os.path.join(folder, "d.h5")
            for name, (_, coords, _) in self.EXPECTED.items():
                good = (shared_data() / name).read_bytes()
                for _ in range(300):
                    bad = bytearray(good)
                    for _ in range(rng.randint(1, 3)):
                        bad[rng.randrange(len(bad))] = rng.randrange(256)
                    if rng.random() < 0.2:
                        bad = bad[: rng.randrange(len(bad))]
                    pathlib.Path(damaged).write_bytes(bad)
                    try:
                        sparse = reader.read_sparse(damaged, "/sparse")
                    except reader.FormatError:
                        continue
                    self.assertEqual(sparse["coords"].ravel().tolist(), coords)


if __name__ == "__main__":
    unittest.main()
