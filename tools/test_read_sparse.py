"""Tests of read_sparse.py: chunk indexes and filters in files written by h5py, and damaged files.

    python3 tools/test_read_sparse.py

Tests that need h5py, or the small sparse files of the data folder, are skipped if these are missing.
"""

import functools
import os
import pathlib
import random
import struct
import tempfile
import unittest
import zlib

import numpy as np

import read_sparse as reader
from read_sparse import ALL_ONES

try:
    import h5py
except ImportError:
    h5py = None

# The number of damaged files per sample file.
DAMAGED = int(os.environ.get("SKERRY_DAMAGED_FILES", "300"))


def shared_data():
    """Returns the folder data/structured-chunk of a shared folder next to the repository, or None."""
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

    def test_v2_b_trees_of_every_depth(self):
        array = np.random.default_rng(11).integers(0, 9, (60, 50)).astype("<u2")
        for part in (np.s_[0:0], np.s_[3:5, 7:9], np.s_[:20, :20], np.s_[...]):
            for options in ({}, {"compression": 1}):
                self.check(array, chunks=(1, 1), maxshape=(None, None), written=[part], **options)

    def test_files_of_every_age(self):
        text = h5py.string_dtype()
        numbers = h5py.vlen_dtype(np.dtype("<i4"))
        compound = np.dtype([("n", "<i2"), ("text", text), ("list", numbers), ("a", "<f4", (2, 3))])
        for bounds in ("earliest", ("v108", "v108"), "latest"):
            with self.subTest(bounds), h5py.File(self.path, "w", libver=bounds) as file:
                file["texts"] = np.array(["", "hi", "\u00e4" * 99], object)
                file["fixed"] = np.array([b"abc", b"d"], "S5")
                file["raw"] = np.array([b"abc", b"d"], "V5")
                file["half"] = np.array([1, 2.5], ">f2")
                file["arrays"] = np.zeros(2, np.dtype([("a", "<i2", (2, 3))]))
                file.create_dataset("enum", data=[1, 5], dtype=h5py.enum_dtype({"A": 1, "B": 5}, "<i2"))
                file.create_dataset("lists of texts", (2,), h5py.vlen_dtype(text))[1] = np.array(["a", "bb"], object)
                file.create_dataset("compound", (2,), compound)[1] = (7, "x", np.array([1, 2]), np.ones((2, 3)))
                file["reference"] = np.array([file["half"].ref], h5py.ref_dtype)
                file["named"] = np.dtype(">i4")
                file.create_dataset("of named type", (2,), file["named"])[...] = [3, 4]
                for i in range(300):
                    file["many/%03d" % i] = i
                file["soft"] = h5py.SoftLink("/many/123")
            read = functools.partial(reader.read_dense, self.path)
            self.assertEqual(read("texts").tolist(), [b"", b"hi", ("\u00e4" * 99).encode()])
            self.assertEqual(read("fixed").tolist(), [b"abc", b"d"])
            self.assertEqual(read("raw").tolist(), [b"abc\0\0", b"d\0\0\0\0"])
            self.assertEqual(read("half").tolist(), [1, 2.5])
            self.assertEqual(read("arrays")["a"].shape, (2, 2, 3))
            self.assertEqual(read("enum").tolist(), [1, 5])
            self.assertEqual([list(x) for x in read("lists of texts")], [[], [b"a", b"bb"]])
            number, words, numbers, block = read("compound")[1]
            self.assertEqual((number, words, numbers.tolist(), block.tolist()), (7, b"x", [1, 2], [[1.0] * 3] * 2))
            self.assertEqual(read("reference").dtype, np.dtype("V8"))
            self.assertEqual(read("of named type").tolist(), [3, 4])
            self.assertEqual([int(read("many/%03d" % i)) for i in (0, 150, 299)], [0, 150, 299])
            self.assertEqual(int(read("soft")), 123)

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
                for _ in range(DAMAGED):
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


class SparseFile:
    """Writes a sparse dataset /s of u16, chunk by chunk, with any array index, as far as the tests need it."""

    def __init__(self, shape, maximum, chunk, filtered):
        self.shape, self.maximum, self.chunk, self.filtered = shape, maximum, chunk, filtered
        self.bytes = bytearray(48)
        self.width = 1 + ((int(np.prod(chunk)) * 2).bit_length() - 1 + 8) // 8

    def append(self, data):
        address = len(self.bytes)
        self.bytes += data
        return address

    def checked(self, data):
        return data + struct.pack("<I", reader.lookup3(data))

    def image(self, coords, values):
        """Appends a chunk (coordinates relative to the chunk, row-major) and returns its index record."""
        rank = len(self.chunk)
        extent = struct.pack("<BBBB4x", 1, rank, 1, 0) + b"".join(struct.pack("<Q", n) for n in self.chunk * 2)
        blocks = b"".join(np.array([c, c]).astype("<u2").tobytes() for c in coords)
        selection = struct.pack("<IIBBIH", 2, 3, 0, 2, rank, len(coords)) + blocks
        sections = [self.checked(struct.pack("<BBBI", 1, 0, 8, len(extent)) + extent + selection)]
        sections.append(np.array(values, "<u2").tobytes())
        sizes = [len(x) for x in sections]
        if self.filtered:
            sections = [zlib.compress(sections[0]), sections[1]]
        address = self.append(b"".join(sections))
        record = struct.pack("<Q", address) + sum(map(len, sections)).to_bytes(self.width, "little")
        record += struct.pack("<Q", len(sections[0]))
        return record + (struct.pack("<QQII", *sizes, 0, 0) if self.filtered else b"")

    def unset(self):
        return b"\xff" * 8 + bytes(self.width + 8 + (24 if self.filtered else 0))

    def prefix(self, signature, header):
        return signature + bytes([1, 3 if self.filtered else 2]) + struct.pack("<Q", header)

    def fixed_array(self, records, count, page_bits):
        size, page = len(self.unset()), 1 << page_bits
        header = self.append(bytes(28))
        if count <= page:
            cells = b"".join(records.get(i, self.unset()) for i in range(count))
            block = self.append(self.checked(self.prefix(b"FADB", header) + cells))
        else:
            pages = -(-count // page)
            used = [any(i // page == p for i in records) for p in range(pages)]
            bitmap = np.packbits(used).tobytes()
            block = self.append(self.checked(self.prefix(b"FADB", header) + bitmap))
            for p in range(pages):
                cells = b"".join(records.get(i, self.unset()) for i in range(p * page, min(count, (p + 1) * page)))
                self.append(self.checked(cells) if used[p] else b"\xee" * (len(cells) + 4))
        head = b"FAHD" + bytes([1, 3 if self.filtered else 2, size, page_bits]) + struct.pack("<QQ", count, block)
        self.bytes[header : header + 28] = self.checked(head)
        return bytes([3, page_bits]), header

    def extensible_array(self, records, direct, least, pointers, page_bits):
        size, page, bits = len(self.unset()), 1 << page_bits, 32
        header = self.append(bytes(72))

        def cells(first, count):
            return b"".join(records.get(first + i, self.unset()) for i in range(count))

        def used(first, count):
            return any(first <= i < first + count for i in records)

        def data_block(first, length, stored):
            if not used(first, length):
                return ALL_ONES
            prefix = self.prefix(b"EADB", header) + struct.pack("<I", stored - direct)
            if length <= page:
                return self.append(self.checked(prefix + cells(first, length)))
            address = self.append(self.checked(prefix))
            for start in range(first, first + length, page):
                self.append(self.checked(cells(start, page)) if used(start, page) else b"\xee" * (page * size + 4))
            return address

        in_index = 2 * (pointers.bit_length() - 1)
        blocks, supers, first = [], [], direct
        for number in range(1 + bits - (least.bit_length() - 1)):
            count, length = 1 << (number // 2), least << ((number + 1) // 2)
            if number < in_index:
                base = len(blocks)
                for i in range(count):
                    blocks.append(data_block(first + i * length, length, first + (base + i) * length))
            elif used(first, count * length):
                starts = [first + i * length for i in range(count)]
                addresses = [data_block(start, length, start) for start in starts]
                bitmap = b""
                if length > page:
                    flags = [used(p, page) for p in range(first, first + count * length, page)]
                    bitmap = np.packbits(flags).tobytes().ljust(count * ((length // page + 7) // 8), b"\0")
                prefix = self.prefix(b"EASB", header) + struct.pack("<I", first - direct)
                pointed = b"".join(struct.pack("<Q", a) for a in addresses)
                supers.append(self.append(self.checked(prefix + bitmap + pointed)))
            else:
                supers.append(ALL_ONES)
            first += count * length
        pointed = b"".join(struct.pack("<Q", a) for a in blocks + supers)
        index = self.append(self.checked(self.prefix(b"EAIB", header) + cells(0, direct) + pointed))
        head = bytes([1, 3 if self.filtered else 2, size, bits, direct, least, pointers, page_bits])
        head = b"EAHD" + head + bytes(48) + struct.pack("<Q", index)
        self.bytes[header : header + 72] = self.checked(head)
        return bytes([4, bits, direct, pointers, least, page_bits]), header

    def object_header(self, *messages):
        body = b"".join(struct.pack("<BHB", kind, len(m), 0) + m for kind, m in messages)
        return self.append(self.checked(b"OHDR" + bytes([2, 2]) + struct.pack("<I", len(body)) + body))

    def write(self, path, index, address):
        rank = len(self.chunk)
        dimensions = b"".join(struct.pack("<Q", n) for n in self.shape + self.maximum)
        layout = struct.pack("<BBBHBBB", 5, 4, 0, 0, 0, rank + 1, 2)
        layout += b"".join(struct.pack("<H", n) for n in self.chunk + (2,)) + bytes([8, 2, 1, 0])
        messages = [
            (0x01, bytes([2, rank, 1, 1]) + dimensions),
            (0x03, bytes([0x10, 0, 0, 0, 2, 0, 0, 0, 0, 0, 16, 0])),
            (0x05, bytes([3, 0x29, 2, 0, 0, 0, 7, 0])),
            (0x08, layout + index + struct.pack("<Q", address)),
        ]
        if self.filtered:
            messages.append((0x19, bytes([1, 1, 0, 1, 10, 0, 1, 0, 1, 0, 1, 0, 6, 0, 0, 0])))
        dataset = self.object_header(*messages)
        root = self.object_header((0x06, bytes([1, 0, 1]) + b"s" + struct.pack("<Q", dataset)))
        head = b"\x89HDF\r\n\x1a\n" + bytes([3, 8, 8, 0])
        head += struct.pack("<QQQQ", 0, ALL_ONES, len(self.bytes), root)
        self.bytes[:48] = self.checked(head)
        pathlib.Path(path).write_bytes(self.bytes)


class EveryIndexOfSparseChunks(unittest.TestCase):
    def check(self, shape, maximum, chunk, number_of, index, chunks, filtered, seed):
        """Defines random elements in the given chunks and compares the elements read with a dict."""
        rng = random.Random(seed)
        file = SparseFile(shape, maximum, chunk, filtered)
        expected, records = {}, {}
        for position in chunks:
            inside = sorted(rng.sample(list(np.ndindex(*chunk)), rng.randint(1, int(np.prod(chunk)))))
            values = [rng.randrange(1 << 16) for _ in inside]
            records[number_of(position)] = file.image(inside, values)
            for at, value in zip(inside, values):
                element = tuple(p * c + a for p, c, a in zip(position, chunk, at))
                if all(e < n for e, n in zip(element, shape)):
                    expected[element] = value
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "s.h5")
            file.write(path, *index(file, records))
            sparse = reader.read_sparse(path, "/s")
        self.assertEqual(list(map(tuple, sparse["coords"].tolist())), sorted(expected))
        self.assertEqual(sparse["values"].tolist(), [expected[e] for e in sorted(expected)])
        self.assertEqual((sparse["shape"], sparse["fill"]), (shape, 7))

    def test_fixed_array_whole_and_in_pages(self):
        grid = [(r, c) for r in range(10) for c in range(7)]
        for filtered in (False, True):
            for page_bits in (10, 3):
                with self.subTest(filtered=filtered, page_bits=page_bits):
                    chosen = random.Random(page_bits).sample(grid[:40], 15) + [(9, 6)]
                    self.check(
                        (39, 20), (39, 20), (4, 3), lambda p: 7 * p[0] + p[1],
                        lambda file, records: file.fixed_array(records, 70, page_bits), chosen, filtered, 1)

    def test_extensible_array_from_direct_elements_to_paged_super_blocks(self):
        for filtered in (False, True):
            for dimension in (0, 1):
                with self.subTest(filtered=filtered, dimension=dimension):
                    numbers = list(range(6)) + [13, 40, 41, 60, 70, 130, 180, 199, 260, 310, 470, 471, 899]
                    along, across = 300, 3
                    chunks = [divmod(n, across) if dimension == 0 else divmod(n, across)[::-1] for n in numbers]
                    shape = (2 * along, 5) if dimension == 0 else (5, 2 * along)
                    maximum = (ALL_ONES, 5) if dimension == 0 else (5, ALL_ONES)
                    self.check(
                        shape, maximum, (2, 2),
                        lambda p, d=dimension: across * p[d] + p[1 - d],
                        lambda file, records: file.extensible_array(records, 4, 4, 4, 4), chunks, filtered, 2)


if __name__ == "__main__":
    unittest.main()
