"""Tests of read_sparse.py and of structured_encoder.py, the encoder with which files are compared.

    python3 tools/test_sparse_chunks.py

The encoder writes sparse datasets with every index, family of types and filter. The reader must return the
encoded elements and refuse damaged files.
"""

import io
import json
import math
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np

import read_sparse as reader

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "testkit/src/main/resources/io/skerry/testkit/oracle"))
import structured_encoder as encoder

# The number of damaged files in each test of random damage.
DAMAGED = int(os.environ.get("SKERRY_DAMAGED_FILES", "400"))

TEXT = {"kind": "text"}


def fixed(size):
    return {"kind": "fixed", "size": size}


def described(coords, values, kind, **more):
    """Returns the description of a dataset of one dimension with chunks of 5 elements."""
    return {"path": "/s", "shape": [5], "maxshape": [5], "chunk": [5], "versions": "V1", "type": kind,
            "coords": [[c] for c in coords], "values": values, **more}


def hexed(*numbers):
    return [struct.pack("<i", n).hex() for n in numbers]


class KnownBytes(unittest.TestCase):
    """Chunks and indexes with selections and checksums from HDF5 2.0.0; the rest was encoded by hand."""

    SECTION_0 = "010008180000000101010000000000050000000000000005000000000000000200000001000000" "0000000010000000" \
        "010000000100000001000000030000009bf20893"
    DEFLATED = "789c6364e090606060606464640001560606149a092407650b40d930cc0cc4b33f714c060013340270" \
        "789ce36660601003624520060001c40043"
    TEXTS = (
        "010008180000000101010000000000050000000000000005000000000000000200000001000000000000001800000001000000"
        "0200000001000000010000000300000003000000" "8d311343"
        "0200000000000100000000000000000005000000000002000000000000000000" "c1ec6705"
        "48474c5301000000010000001c00000000000000400000000000000047434f4c0100000040000000000000000100010000000000"
        "020000000000000068690000000000000200010000000000050000000000000068646635210000" "00" "e97a352e")

    def test_one_chunk(self):
        plan, blocks = encoder.encode(described([1, 2, 3], hexed(11, 22, 33), fixed(4)))
        image = self.SECTION_0 + "0b0000001600000021000000"
        self.assertEqual(plan.chunks[(0,)].image.hex(), image)
        layout = "0504000000000201050408020100014f004300000000000000c800000000000000"
        self.assertEqual(blocks["layout"].render({"chunk [0]": 0xC8})[0].hex(), layout)

    def test_one_chunk_deflated(self):
        filters = {"0": [[1, 0, [6]]], "1": [[1, 0, [6]]]}
        plan, blocks = encoder.encode(described([1, 2, 3], hexed(11, 22, 33), fixed(4), filters=filters))
        self.assertEqual(plan.chunks[(0,)].image.hex(), self.DEFLATED)
        layout = (
            "0504000000020201050408020100013a00290000000000000043000000000000000c000000000000000000000000000000"
            "0801000000000000")
        self.assertEqual(blocks["layout"].render({"chunk [0]": 0x108})[0].hex(), layout)

    def test_fixed_array(self):
        plan, blocks = encoder.encode(described(
            [1, 2, 3, 10, 11], hexed(11, 22, 33, 44, 55), fixed(4), shape=[12], maxshape=[12],
            forms={"[2]": ["points", 1, 4]}))
        places = {"header": 0xBF, "data block": 0xDB, "chunk [0]": 0x128, "chunk [2]": 0x177}
        self.assertEqual(
            blocks["header"].render(places)[0].hex(),
            "464148440102120a0300000000000000db00000000000000e65d88fa")
        self.assertEqual(
            blocks["data block"].render(places)[0].hex(),
            "464144420102bf0000000000000028010000000000004f004300000000000000ffffffffffffffff00000000000000000000"
            "77010000000000004b004300000000000000656cecb1")

    def test_texts(self):
        plan, _ = encoder.encode(described([1, 3], ["6869", b"hdf5!".hex()], TEXT))
        self.assertEqual(plan.chunks[(0,)].image.hex(), self.TEXTS)
        self.assertEqual(plan.chunks[(0,)].offsets, [75, 111])

    def test_both_checksums_are_the_readers(self):
        rng = random.Random(5)
        for size in range(50):
            data = rng.randbytes(size)
            self.assertEqual(encoder.lookup3(data), reader.lookup3(data))
            self.assertEqual(encoder.fletcher32(data), struct.pack("<I", reader.fletcher32(data)))


def drawn(kind, rng):
    """Returns a random value in the form of the encoder."""
    if kind["kind"] == "fixed":
        return rng.randbytes(kind["size"]).hex()
    if kind["kind"] == "text":
        return rng.choice([None, "", rng.randbytes(rng.randrange(1, 30)).hex()])
    if kind["kind"] == "compound":
        return [drawn(member, rng) for _, member in kind["members"]]
    count = kind["count"] if kind["kind"] == "array" else rng.randrange(4)
    return [drawn(kind["base"], rng) for _ in range(count)]


def same(kind, value, found):
    """Returns whether a value of the reader equals a value of the encoder."""
    if kind["kind"] == "fixed":
        return np.asarray(found).astype(np.asarray(found).dtype.newbyteorder("<")).tobytes().hex() == value
    if kind["kind"] == "text":
        return found == bytes.fromhex(value or "")
    if kind["kind"] == "compound":
        names = found.dtype.names
        return all(same(m, v, found[n]) for (_, m), v, n in zip(kind["members"], value, names))
    return len(found) == len(value) and all(same(kind["base"], v, f) for v, f in zip(value, found))


FAMILIES = [
    fixed(2),
    fixed(7),
    TEXT,
    {"kind": "sequence", "base": fixed(4)},
    {"kind": "sequence", "base": {"kind": "sequence", "base": TEXT}},
    {"kind": "array", "count": 3, "base": TEXT},
    {"kind": "array", "count": 2, "base": fixed(8)},
    {"kind": "sequence", "base": {"kind": "array", "count": 2, "base": fixed(2)}},
    {"kind": "compound", "size": 12, "members": [[0, fixed(2)], [4, {"kind": "array", "count": 2, "base": fixed(4)}]]},
    {"kind": "compound", "size": 60, "members": [
        [0, fixed(1)], [4, {"kind": "array", "count": 2, "base": TEXT}],
        [40, {"kind": "sequence", "base": {"kind": "compound", "size": 18, "members": [[0, fixed(2)], [2, TEXT]]}}]]},
]

SHAPES = {
    "single": ([6, 7], [6, 7], [6, 7]),
    "fixed array": ([11, 9], [14, 9], [3, 2]),
    "fixed array in pages": ([2100], [2100], [2]),
    "extensible array": ([200, 3], [None, 3], [2, 2]),
    "v2 B-tree": ([9, 8, 7], [None, 8, None], [3, 4, 4]),
}

FILTERS = {
    "none": {},
    "all": {str(i): [[2, 1, [4]], [1, 1, [6]]] for i in range(3)},
    "some": {"0": [[3, 0, []]], "1": [[1, 0, [9]], [3, 0, []]]},
}


class WhatWasPutIn(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "s.h5")

    def check(self, wanted):
        encoder.write_file(self.path, [wanted])
        sparse = reader.read_sparse(self.path, wanted["path"])
        expected = sorted(zip(wanted["coords"], wanted["values"]), key=lambda element: element[0])
        self.assertEqual(sparse["coords"].tolist(), [at for at, _ in expected])
        for (at, value), found in zip(expected, sparse["values"]):
            self.assertTrue(same(wanted["type"], value, found), (at, value, found))
        return sparse

    def test_every_index_filter_and_family(self):
        rng = random.Random(6)
        for index, (shape, maximum, chunk) in SHAPES.items():
            for filters in FILTERS:
                for kind in FAMILIES:
                    with self.subTest(index=index, filters=filters, type=kind):
                        count = min(40, math.prod(shape))
                        flat = rng.sample(range(math.prod(shape)), count)
                        coords = [[int(x) for x in np.unravel_index(n, shape)] for n in flat]
                        self.check({
                            "path": "/s", "shape": shape, "maxshape": maximum, "chunk": chunk, "type": kind,
                            "filters": {s: f for s, f in FILTERS[filters].items()
                                        if s != "2" or encoder.is_variable(kind)},
                            "unfiltered_edges": rng.random() < 0.5,
                            "versions": rng.choice(["V1", "SMALLEST"]),
                            "coords": coords, "values": [drawn(kind, rng) for _ in coords]})

    def tree(self, shape, kind, filters):
        """Returns a dataset of single-element chunks with a B-tree of the given shape."""

        def total(node):
            return node if isinstance(node, int) else len(node) - 1 + sum(map(total, node))

        rng = random.Random(7)
        coords = [list(divmod(n, 100)) for n in sorted(rng.sample(range(10000), total(shape)))]
        return {
            "path": "/s", "shape": [100, 100], "maxshape": [None, None], "chunk": [1, 1], "type": kind,
            "filters": filters, "tree": shape, "coords": coords, "values": [drawn(kind, rng) for _ in coords]}

    def test_trees_of_three_levels(self):
        self.check(self.tree([[20, 30], [25, 40, 22]], fixed(2), {}))
        self.check(self.tree([[20, 15], [15, 17, 22]], TEXT, FILTERS["some"]))

    def test_an_empty_text_and_none_are_the_same(self):
        self.check(described([0, 2, 4], [None, "", "61"], TEXT))
        sparse = self.check(described([3], [None], TEXT))
        self.assertEqual(reader.to_dense(sparse).tolist(), [b""] * 5)

    def test_sequences_into_a_dense_array(self):
        sparse = self.check(described([3], [hexed(7, 9)], {"kind": "sequence", "base": fixed(4)}))
        self.assertEqual([list(x) for x in reader.to_dense(sparse)], [[], [], [], [7, 9], []])

    def test_json_of_all_datasets(self):
        encoder.write_file(self.path, [
            dict(described([1, 4], ["61", None], TEXT), path="/b"),
            dict(described([1, 2, 3], hexed(11, 22, 33), fixed(4)), path="/a")])
        out = io.StringIO()
        reader.write_json(self.path, None, out)
        a, b = map(json.loads, out.getvalue().splitlines())
        self.assertEqual((a["path"], a["shape"], a["maxshape"], a["index"]), ("/a", [5], [5], "single"))
        (chunk,) = a["chunks"]
        self.assertEqual(chunk["coords"], [[1], [2], [3]])
        self.assertEqual((chunk["values"], chunk["raw"]), ([11, 22, 33], "".join(hexed(11, 22, 33))))
        self.assertEqual((chunk["offsets"], chunk["masks"], chunk["outside"]), ([67], None, 0))
        self.assertEqual(b["chunks"][0]["values"], ["61", ""])
        self.assertEqual(len(b["chunks"][0]["offsets"]), 2)

    def test_the_command_ends_with_a_message_where_the_file_is_damaged(self):
        pathlib.Path(self.path).write_bytes(b"no such file")
        command = [sys.executable, str(ROOT / "tools/read_sparse.py"), self.path, "--json"]
        ran = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((ran.returncode, ran.stdout), (1, ""))
        self.assertIn("read_sparse: not an HDF5 file", ran.stderr)


class Refused(unittest.TestCase):
    """Damage of any kind causes a FormatError with the reason, and no other exception."""

    TEXTS = described([1, 3], ["6869", b"hdf5!".hex()], TEXT)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "s.h5")

    def refuse(self, message):
        with self.assertRaisesRegex(reader.FormatError, message):
            reader.read_sparse(self.path, "/s")

    def changed(self, wanted, change):
        """Writes the dataset after changing its only chunk, before the index is created."""

        class Changed(encoder.Plan):
            def __init__(self, wanted):
                super().__init__(wanted)
                change(*self.chunks.values())

        with mock.patch.object(encoder, "Plan", Changed):
            encoder.write_file(self.path, [wanted])

    def section(self, number, at, data, wanted=TEXTS):
        """Writes the dataset with changed bytes in a section and a valid checksum."""

        def change(chunk):
            bounds = [0, *chunk.offsets, len(chunk.image)]
            sections = [bytearray(chunk.image[a:b]) for a, b in zip(bounds, bounds[1:])]
            sections[number][at : at + len(data)] = data
            sections[number] = encoder.summed(bytes(sections[number][:-4]))
            chunk.image = b"".join(sections)

        self.changed(wanted, change)

    def test_the_sections_as_written_are_read(self):
        self.section(1, 0, b"\2")
        self.assertEqual(reader.read_sparse(self.path, "/s")["values"].tolist(), [b"hi", b"hdf5!"])

    def test_wrong_checksums(self):
        for number in range(3):
            def change(chunk):
                bounds = [0, *chunk.offsets, len(chunk.image)]
                image = bytearray(chunk.image)
                image[bounds[number + 1] - 1] ^= 1
                chunk.image = bytes(image)

            self.changed(self.TEXTS, change)
            self.refuse("section %d: checksum does not match" % number)

    def test_offsets_out_of_order(self):
        for offsets in ([111, 75], [75, 1000], [2**64 - 1, 2**64 - 1]):
            self.changed(self.TEXTS, lambda chunk: setattr(chunk, "offsets", offsets))
            self.refuse("sections do not follow each other")

    def test_a_chunk_outside_the_file(self):
        encoder.write_file(self.path, [described([1, 11], hexed(11, 22), fixed(4), shape=[12], maxshape=[12])])
        good = pathlib.Path(self.path).read_bytes()
        block, size = good.index(b"FADB"), 14 + 3 * 18
        for address in (len(good), len(good) - 10, 2**63, 2**64 - 2):
            bad = bytearray(good)
            bad[block + 14 : block + 22] = struct.pack("<Q", address)
            bad[block : block + size + 4] = encoder.summed(bytes(bad[block : block + size]))
            pathlib.Path(self.path).write_bytes(bad)
            self.refuse("outside the file")

    def test_a_mask_beyond_the_filters(self):
        wanted = described([1, 2, 3], hexed(11, 22, 33), fixed(4), filters={"0": [[1, 0, [6]]]})
        for masks in ([2, 0], [0, 1], [2**32 - 1, 0]):
            self.changed(wanted, lambda chunk: setattr(chunk, "masks", masks))
            self.refuse("filter mask")
        self.changed(wanted, lambda chunk: setattr(chunk, "masks", [1, 0]))
        self.refuse("size after filters")

    def test_a_partial_chunk_without_filters_has_no_mask(self):
        wanted = described([1], hexed(11), fixed(4), shape=[4], maxshape=[4], unfiltered_edges=True,
                           filters={"0": [[1, 0, [6]]]})
        self.changed(wanted, lambda chunk: setattr(chunk, "masks", [1, 0]))
        self.refuse("a partial chunk stored without filters")

    def test_wrong_unfiltered_sizes(self):
        wanted = described([1, 2, 3], hexed(11, 22, 33), fixed(4), filters={"0": [[1, 0, [6]]]})
        for sizes in ([66, 12], [67, 11], [0, 12], [2**63, 12]):
            self.changed(wanted, lambda chunk: setattr(chunk, "unfiltered", sizes))
            self.refuse("deflate|size after filters")

    def test_descriptors_that_point_nowhere(self):
        for at, data, message in (
            (4, b"\1", "points nowhere"),  # no such slot
            (6, b"\3", "points nowhere"),  # no such object
            (6, b"\0", "points nowhere"),  # no object has number 0
            (0, b"\3", "bytes of an object=2 expected=3 x 1"),
            (0, b"\0", "bytes of an object=2 expected=0 x 1"),
            (8, b"\1", "does not end with zeros"),
        ):
            self.section(1, at, data)
            self.refuse(message)

    def test_damaged_heaps(self):
        for at, data, message in (
            (0, b"X", "signature"),
            (4, b"\2", "version"),
            (8, b"\0", "heap slots=0"),
            (8, b"\xff\xff\xff\xff", "heap slots"),
            (8, b"\2", "no place for a collection|ends early"),
            (12, b"\0", "no place for a collection"),
            (20, b"\xff" * 8, "no place for a collection"),
            (20, b"\x38", "size=64 expected=56"),
            (12, bytes(16), "points nowhere"),  # a free slot
            (28, b"X", "signature"),
            (32, b"\2", "version"),
            (52, b"\xff" * 8, "ends early"),
            (68, b"\1", "two objects 1"),
        ):
            with self.subTest(at=at, data=data):
                self.section(2, at, data)
                self.refuse(message)

    def test_selections_that_do_not_fit(self):
        wanted = described([1, 2, 3], hexed(11, 22, 33), fixed(4))
        for at, data, message in (
            (0, b"\2", "object type"),
            (15, b"\4", "extent=.4. expected chunk=.5."),
            (31, b"\1", "bytes after the selection"),
            (31, b"\4", "selection type"),
            (35, b"\4", "hyperslab version"),
            (43, b"\x11", "length of a hyperslab"),
            (47, b"\2", "rank"),
            (51, b"\xff\xff\xff\xff", "ends early"),
            (59, b"\5", "not inside the chunk"),
            (55, b"\4", "not inside the chunk"),
            (59, b"\2", "bytes of values"),
        ):
            with self.subTest(at=at, data=data):
                self.section_0_of_two(wanted, at, data)
                self.refuse(message)

    def section_0_of_two(self, wanted, at, data):
        def change(chunk):
            (end,) = chunk.offsets
            section = bytearray(chunk.image[: end - 4])
            section[at : at + len(data)] = data
            chunk.image = encoder.summed(bytes(section)) + chunk.image[end:]

        self.changed(wanted, change)

    def test_trees_out_of_order_or_miscounted(self):
        wanted = {
            "path": "/s", "shape": [9, 9], "maxshape": [None, None], "chunk": [1, 1], "type": fixed(2),
            "coords": [[1, 2], [3, 4]], "values": ["0100", "0200"], "tree": 2}

        def swapped(plan):
            first, second = plan.chunks.values()
            first.scaled, second.scaled = second.scaled, first.scaled

        class Swapped(encoder.Plan):
            def __init__(self, wanted):
                super().__init__(wanted)
                swapped(self)

        with mock.patch.object(encoder, "Plan", Swapped):
            encoder.write_file(self.path, [wanted])
        self.refuse("not in order")
        encoder.write_file(self.path, [wanted])
        data = bytearray(pathlib.Path(self.path).read_bytes())
        at = data.index(b"BTHD")
        for offset, value, message in ((24, 3, "ends early|checksum|signature"), (26, 3, "records below"),
                                       (12, 1, "signature"), (10, 1, "record size"), (5, 13, "record type"),
                                       (24, 200, "at most"), (4, 2, "version")):
            bad = bytearray(data)
            bad[at + offset] = value
            bad[at + 34 : at + 38] = struct.pack("<I", encoder.lookup3(bytes(bad[at : at + 34])))
            pathlib.Path(self.path).write_bytes(bad)
            with self.subTest(offset=offset):
                self.refuse(message)

    def test_random_damage(self):
        rng = random.Random(8)
        datasets = [
            dict(described([1, 3], ["6869", b"hdf5!".hex()], TEXT), path="/s"),
            {"path": "/s", "shape": [9, 9], "maxshape": [None, None], "chunk": [4, 4], "type": FAMILIES[-1],
             "filters": FILTERS["all"], "coords": [[1, 2], [3, 4], [8, 8]],
             "values": [drawn(FAMILIES[-1], random.Random(9)) for _ in range(3)]}]
        for wanted in datasets:
            encoder.write_file(self.path, [wanted])
            good = pathlib.Path(self.path).read_bytes()
            coords = reader.read_sparse(self.path, "/s")["coords"].tolist()
            refused = 0
            for _ in range(DAMAGED):
                bad = bytearray(good)
                for _ in range(rng.randint(1, 3)):
                    bad[rng.randrange(len(bad))] = rng.randrange(256)
                pathlib.Path(self.path).write_bytes(bad)
                try:
                    self.assertEqual(reader.read_sparse(self.path, "/s")["coords"].tolist(), coords)
                except reader.FormatError:
                    refused += 1
            self.assertGreater(refused, DAMAGED // 8)

    def test_random_damage_under_right_checksums(self):
        rng = random.Random(10)
        for _ in range(DAMAGED):
            number = rng.randrange(3)
            self.section(number, rng.randrange(60 if number == 0 else 30), rng.randbytes(rng.randint(1, 4)))
            try:
                reader.read_sparse(self.path, "/s")
            except reader.FormatError:
                pass


if __name__ == "__main__":
    unittest.main()
