#!/usr/bin/env python3
"""Read sparse datasets of HDF5 files with numpy only.

    python3 read_sparse.py FILE /path              print a summary of the defined elements
    python3 read_sparse.py FILE /path --csv        print one line per defined element: coordinates, value
    python3 read_sparse.py FILE /path --npz OUT    write coords, values, shape and fill for numpy.load
    python3 read_sparse.py FILE [/path] --json     print one line of JSON per sparse dataset, chunk by chunk
    python3 read_sparse.py --self-test             check this reader against known bytes

    from read_sparse import read_sparse, to_dense
    events = read_sparse("lcls.h5", "/entry/events")
    events["coords"]       # n x rank, sorted row-major
    events["values"]       # n
    to_dense(events)       # the whole array, with the fill value for undefined elements

A sparse dataset has a layout message of version 5, class 4 ("structured chunk"). In each chunk, section 0 is
the encoded dataspace selection of the defined elements with a checksum, section 1 contains their values, and
section 2 is the heap for values of variable length. No released HDF5 library can open such a dataset. This
file shares no code with the library that writes the files, so its tests also use it as an independent
reader. Every checksum of the structures that are read is verified. Damaged and unsupported structures are
reported as a FormatError with their location.

Supported are: all superblocks (0 to 3), object headers, groups (symbol table, compact, dense) and links
except user-defined ones; shared messages; all datatypes; all chunk indexes of sparse datasets, and all of
dense datasets except version 1 B-trees (read_dense()); deflate, shuffle, fletcher32, and zstd and lz4 if
the modules zstandard and lz4 are installed.

Values: integers, IEEE floats, complex numbers, fixed strings, enums and whole bitfields have the matching
numpy type. Compounds are structured arrays, and arrays are additional dimensions. Opaque values, references,
times, and numbers without a numpy type are raw bytes (V). Values of variable length are in an array of
objects: a string as a bytes object, a sequence as an array.

Where the format description is ambiguous, this reader assumes:

* A member of variable length in a compound or array has the same size as in the file datatype (16 bytes
  with offsets of 8 bytes). It contains the same descriptor as a whole element: u32 length, u16 heap slot,
  u16 object index, zeros. Slots count from 0, objects from 1.
* The contents of a sequence of sequences are also descriptors, for the heap of the same chunk.
* The size of a heap object is exactly length x element size. Length 0 has slot 0 and index 0.
* Offsets of heap slots are relative to section 2; a slot with offset 0 and length 0 is free.
* The structured chunk type is 0 or 1 with two sections, 1 or 3 with three.
* A fill value of variable length is a reference into the global heap of the file, as in dense datasets.
"""

import argparse
import collections
import csv
import json
import mmap
import os
import struct
import sys
import zlib

import numpy as np

LINK_LIMIT = 16
NESTING_LIMIT = 32
# Larger elements are read only from files of at least that size, so that damage cannot exhaust the memory.
ELEMENT_LIMIT = 1 << 24
ALL_ONES = 2**64 - 1
LARGEST = 2**63 - 1


class FormatError(Exception):
    """The file is damaged, or contains a structure that this reader does not support."""


# ---- checksums ---------------------------------------------------------------------------------


def lookup3(data, seed=0):
    """Returns the checksum of HDF5 metadata, which is hashlittle() of Bob Jenkins' lookup3."""
    mask = 0xFFFFFFFF
    size = len(data)
    a = b = c = (0xDEADBEEF + size + seed) & mask
    if size == 0:
        return c
    blocks = (size - 1) // 12
    words = struct.unpack_from("<%dI" % (3 * blocks), data)
    for i in range(0, 3 * blocks, 3):
        a = (a + words[i]) & mask
        b = (b + words[i + 1]) & mask
        c = (c + words[i + 2]) & mask
        a = ((a - c) ^ (c << 4 | c >> 28)) & mask
        c = (c + b) & mask
        b = ((b - a) ^ (a << 6 | a >> 26)) & mask
        a = (a + c) & mask
        c = ((c - b) ^ (b << 8 | b >> 24)) & mask
        b = (b + a) & mask
        a = ((a - c) ^ (c << 16 | c >> 16)) & mask
        c = (c + b) & mask
        b = ((b - a) ^ (a << 19 | a >> 13)) & mask
        a = (a + c) & mask
        c = ((c - b) ^ (b << 4 | b >> 28)) & mask
        b = (b + a) & mask
    x, y, z = struct.unpack("<3I", bytes(data[12 * blocks :]).ljust(12, b"\0"))
    a, b, c = (a + x) & mask, (b + y) & mask, (c + z) & mask
    c = ((c ^ b) - (b << 14 | b >> 18)) & mask
    a = ((a ^ c) - (c << 11 | c >> 21)) & mask
    b = ((b ^ a) - (a << 25 | a >> 7)) & mask
    c = ((c ^ b) - (b << 16 | b >> 16)) & mask
    a = ((a ^ c) - (c << 4 | c >> 28)) & mask
    b = ((b ^ a) - (a << 14 | a >> 18)) & mask
    return ((c ^ b) - (b << 24 | b >> 8)) & mask


def fletcher32(data):
    """Returns the checksum of filter 3: two sums of big-endian 16-bit words modulo 65535, with 65535 for 0."""
    if len(data) % 2:
        data = bytes(data) + b"\0"
    words = np.frombuffer(data, ">u2").astype(np.uint64)
    if not words.any():
        return 0
    weights = (np.arange(len(words), 0, -1, dtype=np.uint64)) % 65535
    first = int(words.sum()) % 65535 or 65535
    second = int((words * weights % 65535).sum()) % 65535 or 65535
    return second << 16 | first


def verify(data, what):
    """Verifies the lookup3 checksum in the last four bytes of data, and returns the other bytes."""
    if len(data) < 4:
        raise FormatError("%s is too short for its checksum: size=%d" % (what, len(data)))
    stored = struct.unpack("<I", data[-4:])[0]
    actual = lookup3(data[:-4])
    if stored != actual:
        raise FormatError("%s: checksum does not match: stored=%08x actual=%08x" % (what, stored, actual))
    return data[:-4]


# ---- reading bytes -----------------------------------------------------------------------------


class Cursor:
    """Reads little-endian numbers from bytes. The error for an early end contains the name of the structure."""

    def __init__(self, data, what):
        self.data, self.what, self.at = data, what, 0

    def take(self, size):
        end = self.at + size
        if size < 0 or end > len(self.data):
            raise FormatError(
                "%s ends early: needed=%d present=%d" % (self.what, end, len(self.data)))
        piece = self.data[self.at : end]
        self.at = end
        return piece

    def number(self, size):
        return int.from_bytes(self.take(size), "little")

    def numbers(self, size, count):
        return self.array(size, count).tolist()

    def array(self, size, count):
        """Returns count unsigned numbers of size bytes as an array of u64."""
        raw = np.frombuffer(self.take(size * count), np.uint8).reshape(count, size)
        wide = np.zeros((count, 8), np.uint8)
        wide[:, :size] = raw
        return wide.view("<u8").reshape(count)

    def text(self):
        """Returns the bytes before the next NUL, which is skipped."""
        end = self.data.find(b"\0", self.at)
        if end < 0:
            raise FormatError("%s ends early: a name has no end" % self.what)
        return self.take(end + 1 - self.at)[:-1]

    def left(self):
        return len(self.data) - self.at

    def expect(self, actual, expected, name):
        if actual not in expected:
            raise FormatError(
                "%s: %s=%s expected=%s" % (self.what, name, actual, " or ".join(map(str, expected))))
        return actual


class H5:
    """An open file: its superblock and the bytes at an address."""

    def __init__(self, path):
        self.path = path
        self.pools = None
        try:
            with open(path, "rb") as file:
                self.size = os.fstat(file.fileno()).st_size
                self.bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if self.size else b""
        except (OSError, ValueError) as e:
            raise FormatError("cannot open the file: %s" % e) from None
        at = 0
        while self.bytes[at : at + 8] != b"\x89HDF\r\n\x1a\n":
            at = max(512, 2 * at)
            if at + 8 > self.size:
                raise FormatError("not an HDF5 file: file=%s" % path)
        self.base = at
        version = self.at(8, 1, "superblock")[0]
        if version > 3:
            raise FormatError("superblock version is not 0 to 3: file=%s version=%d" % (path, version))
        self.O, self.L = self.at(9 if version > 1 else 13, 2, "superblock")
        if self.O not in (2, 4, 8) or self.L not in (2, 4, 8):
            raise FormatError("superblock: size of offsets=%d size of lengths=%d" % (self.O, self.L))
        if version > 1:
            size = 12 + 4 * self.O + 4
            block = Cursor(verify(self.at(0, size, "superblock"), "superblock"), "superblock")
            block.take(12)
            self.base, self.extension, end, self.root = block.numbers(self.O, 4)
        else:
            prefix = 24 + 4 * version
            block = Cursor(self.at(0, prefix + 5 * self.O + self.L, "superblock"), "superblock")
            block.take(prefix)
            self.base, _, end, _ = block.numbers(self.O, 4)
            block.take(self.L)
            self.root, self.extension = block.number(self.O), (1 << (8 * self.O)) - 1
        if end > self.size:
            raise FormatError("the file is cut short: end of file=%d size=%d file=%s" % (end, self.size, path))

    def at(self, address, size, what):
        start = self.base + address
        if address < 0 or size < 0 or start + size > self.size:
            raise FormatError(
                "%s is outside the file: address=%d size=%d file size=%d" % (what, address, size, self.size))
        return self.bytes[start : start + size]

    def cursor(self, address, size, what, signature, checked=True):
        data = self.at(address, size, what)
        if data[:4] != signature:
            raise FormatError(
                "%s: signature=%r expected=%r address=%d" % (what, data[:4], signature, address))
        cursor = Cursor(verify(data, what + " at %d" % address) if checked else data, what)
        cursor.take(4)
        return cursor

    def is_undefined(self, address):
        return address == (1 << (8 * self.O)) - 1


def enough_bytes(largest):
    """Returns the number of bytes that can hold all numbers up to largest."""
    return max(1, (largest.bit_length() + 7) // 8)


# ---- version 2 B-trees -------------------------------------------------------------------------


class BTree:
    """Iterates over the records of a version 2 B-tree, in order, as bytes."""

    def __init__(self, h5, address, types, size=None):
        self.h5 = h5
        head = h5.cursor(address, 22 + h5.O + h5.L, "B-tree header", b"BTHD")
        head.expect(head.number(1), (0, 1), "version")
        self.type = head.expect(head.number(1), types, "record type")
        self.node_size, self.size, self.depth = head.number(4), head.number(2), head.number(2)
        head.take(2)
        self.root, self.in_root, self.total = head.number(h5.O), head.number(2), head.number(h5.L)
        if size is not None:
            head.expect(self.size, (size,), "record size")
        if self.size < 1 or self.depth > NESTING_LIMIT:
            raise FormatError("B-tree header: record size=%d depth=%d" % (self.size, self.depth))
        # For each level from the leaves up: maximum records of a node, of its subtree, and size of a child pointer.
        most = (self.node_size - 10) // self.size
        self.levels = [(most, most, 0)]
        self.count_size = enough_bytes(max(0, most))
        for level in range(self.depth):
            below = self.levels[-1][1]
            pointer = h5.O + self.count_size + (enough_bytes(below) if level else 0)
            most = (self.node_size - 10 - pointer) // (self.size + pointer)
            if most < 1:
                raise FormatError("B-tree header: no record fits a node: node size=%d" % self.node_size)
            self.levels.append((most, (most + 1) * below + most, pointer))
        self.seen = set()

    def __iter__(self):
        if self.h5.is_undefined(self.root):
            if self.total:
                raise FormatError("a B-tree without a root has %d records" % self.total)
            return iter(())
        return self.node(self.root, self.in_root, self.total, self.depth)

    def node(self, address, count, total, level):
        what = "B-tree %s" % ("node" if level else "leaf")
        most, _, pointer = self.levels[level]
        if count > most or count < 1 or address in self.seen:
            raise FormatError(
                "%s: records=%d at most %d, address=%d%s"
                % (what, count, most, address, " is in the tree twice" if address in self.seen else ""))
        self.seen.add(address)
        size = 6 + count * self.size + (count + 1) * pointer * (level > 0) + 4
        node = self.h5.cursor(address, size, what, b"BTIN" if level else b"BTLF")
        node.expect(node.number(1), (0, 1), "version")
        node.expect(node.number(1), (self.type,), "record type")
        records = [node.take(self.size) for _ in range(count)]
        found = count
        if level == 0:
            yield from records
        else:
            for i in range(count + 1):
                child, in_child = node.number(self.h5.O), node.number(self.count_size)
                below = node.number(pointer - self.h5.O - self.count_size) if level > 1 else in_child
                found += below
                yield from self.node(child, in_child, below, level - 1)
                if i < count:
                    yield records[i]
        if found != total:
            raise FormatError("%s: records below=%d expected=%d address=%d" % (what, found, total, address))


# ---- fractal heaps -----------------------------------------------------------------------------


class FractalHeap:
    """Returns objects (links, shared messages) by heap ID. Heaps with filters are not supported."""

    def __init__(self, h5, address):
        self.h5, self.address = h5, address
        head = h5.cursor(address, 26 + 12 * h5.L + 3 * h5.O, "fractal heap header", b"FRHP")
        head.expect(head.number(1), (0,), "version")
        self.id_size = head.number(2)
        head.expect(head.number(2), (0,), "bytes of filters")
        self.checked = bool(head.number(1) & 2)
        largest = head.number(4)
        head.take(h5.L)
        self.huge = head.number(h5.O)
        head.take(h5.L + h5.O + 8 * h5.L)
        self.width, self.start, self.most = head.number(2), head.number(h5.L), head.number(h5.L)
        bits = head.number(2)
        head.take(2)
        self.root, self.rows = head.number(h5.O), head.number(2)
        for name, value in (("width", self.width), ("starting block", self.start), ("largest block", self.most)):
            if value < 1 or value & (value - 1):
                raise FormatError("fractal heap header: %s=%d is no power of two" % (name, value))
        if self.most < self.start or not 0 < bits <= 64:
            raise FormatError("fractal heap header: largest block=%d bits=%d" % (self.most, bits))
        self.offset_size = (bits + 7) // 8
        self.length_size = min(enough_bytes(self.most), enough_bytes(largest))
        self.blocks = {}

    def object(self, number):
        identity = Cursor(number, "heap id %s" % number.hex())
        identity.expect(len(number), (self.id_size,), "size")
        first = identity.number(1)
        kind = identity.expect(first & 0xF0, (0x00, 0x10, 0x20), "version and type")
        if kind == 0x20:
            return identity.take((first & 15) + 1)
        if kind == 0x00:
            offset, length = identity.number(self.offset_size), identity.number(self.length_size)
            return self.managed(offset, length)
        if self.id_size - 1 >= self.h5.O + self.h5.L:
            address, length = identity.number(self.h5.O), identity.number(self.h5.L)
        else:
            wanted = identity.take(min(self.h5.L, self.id_size - 1)).ljust(self.h5.L, b"\0")
            tree = BTree(self.h5, self.huge, (1,), self.h5.O + 2 * self.h5.L)
            record = next((r for r in tree if r[self.h5.O + self.h5.L :] == wanted), None)
            if record is None:
                raise FormatError("%s points nowhere" % identity.what)
            record = Cursor(record, "huge object record")
            address, length = record.number(self.h5.O), record.number(self.h5.L)
        return self.h5.at(address, length, "huge object of a heap")

    def managed(self, offset, length):
        address, rows, base, depth = self.root, self.rows, 0, 0
        size = self.start
        direct_rows = self.most.bit_length() - self.start.bit_length() + 2
        while rows:
            entries = self.indirect(address, base, rows)
            inside = offset - base
            row = (inside // (self.width * self.start)).bit_length()
            size = self.start << max(0, row - 1)
            first = (self.width * self.start << (row - 1)) if row else 0
            column = (inside - first) // size
            depth += 1
            if row >= rows or depth > NESTING_LIMIT:
                raise FormatError("fractal heap: nothing is at offset %d, heap at %d" % (offset, self.address))
            address = entries[row * self.width + column]
            base += first + column * size
            rows = 0
            if row >= direct_rows:
                rows = size.bit_length() - (self.width * self.start).bit_length() + 1
        block = self.direct(address, base, size)
        if offset - base + length > size:
            raise FormatError("fractal heap: an object leaves its block: offset=%d length=%d" % (offset, length))
        return block[offset - base : offset - base + length]

    def block_prefix(self, data, base, what):
        cursor = Cursor(data, what)
        cursor.take(4)
        cursor.expect(cursor.number(1), (0,), "version")
        cursor.expect(cursor.number(self.h5.O), (self.address,), "heap address")
        cursor.expect(cursor.number(self.offset_size), (base,), "block offset")
        return cursor

    def indirect(self, address, base, rows):
        if address not in self.blocks:
            count, what = rows * self.width, "fractal heap indirect block"
            size = 5 + self.h5.O + self.offset_size + count * self.h5.O + 4
            self.h5.cursor(address, size, what, b"FHIB")
            block = self.block_prefix(self.h5.at(address, size, what), base, what)
            self.blocks[address] = block.numbers(self.h5.O, count)
        return self.blocks[address]

    def direct(self, address, base, size):
        if address not in self.blocks:
            what = "fractal heap direct block"
            block = self.h5.cursor(address, size, what, b"FHDB", checked=False).data
            end = self.block_prefix(block, base, what).at
            if self.checked:
                verify(block[:end] + bytes(4) + block[end + 4 :] + block[end : end + 4], what + " at %d" % address)
            self.blocks[address] = block
        if len(self.blocks[address]) != size:
            raise FormatError("fractal heap: a block has two meanings: address=%d" % address)
        return self.blocks[address]


# ---- objects and links -------------------------------------------------------------------------


def first_block(h5, address):
    """Returns (cursor over the messages of the first block of an object header, size of a message prefix)."""
    what = "object header"
    if h5.at(address, 1, what) == b"\1":
        head = Cursor(h5.at(address, 16, what), what)
        head.take(8)
        return Cursor(h5.at(address + 16, head.number(4), what), what), 8
    head = h5.at(address, 6, what)
    if head[:4] != b"OHDR" or head[4] != 2:
        raise FormatError("no object header: address=%d starts=%s" % (address, head.hex()))
    flags = head[5]
    prefix = 6 + (16 if flags & 0x20 else 0) + (4 if flags & 0x10 else 0)
    width = 1 << (flags & 3)
    size = int.from_bytes(h5.at(address + prefix, width, what), "little")
    prefix += width
    body = h5.cursor(address, prefix + size + 4, what, b"OHDR")
    body.take(prefix - 4)
    return body, 6 if flags & 4 else 4


def messages(h5, address, depth=0):
    """Returns [(type, body)] of an object header with its continuation blocks; shared messages are resolved."""
    block, prefix = first_block(h5, address)
    found, pending, seen = [], [block], {address}
    while pending:
        block = pending.pop(0)
        while block.left() >= prefix:
            kind, length, flags = block.number(2 if prefix == 8 else 1), block.number(2), block.number(1)
            block.take({8: 3, 6: 2, 4: 0}[prefix])
            message = block.take(length)
            if kind == 0x10:
                more = Cursor(message, "continuation message")
                start, length = more.number(h5.O), more.number(h5.L)
                if start in seen:
                    raise FormatError("continuation blocks form a ring: address=%d" % start)
                seen.add(start)
                if prefix == 8:
                    pending.append(Cursor(h5.at(start, length, "continuation block"), "continuation block"))
                else:
                    pending.append(h5.cursor(start, length, "continuation block", b"OCHK"))
            elif flags & 2 and kind in (0x01, 0x03, 0x04, 0x05, 0x0B, 0x19):
                found.append((kind, shared(h5, kind, message, depth)))
            else:
                found.append((kind, message))
    return found


def shared(h5, kind, message, depth):
    """Returns the target of a shared message, in the header of a named datatype or in the shared message table."""
    reference = Cursor(message, "shared message")
    version = reference.expect(reference.number(1), (2, 3), "version")
    place = reference.number(1)
    if version == 3 and place == 1:
        if h5.pools is None:
            h5.pools = pools(h5)
        heap = next((heap for types, heap in h5.pools if types >> kind & 1), None)
        if heap is None:
            raise FormatError("no shared message heap: message type=%d" % kind)
        return heap.object(reference.take(8))
    address = reference.number(h5.O)
    if depth > 4:
        raise FormatError("shared messages form a ring: address=%d" % address)
    found = dict(reversed(messages(h5, address, depth + 1)))
    if kind not in found:
        raise FormatError("shared message: there is none of type %d at address %d" % (kind, address))
    return found[kind]


def pools(h5):
    """Returns [(bits of message types, heap)] of the shared message table."""
    found = []
    extension = [] if h5.is_undefined(h5.extension) else messages(h5, h5.extension, 5)
    for body in [body for kind, body in extension if kind == 0x0F]:
        pointer = Cursor(body, "shared message table message")
        pointer.expect(pointer.number(1), (0,), "version")
        address, count = pointer.number(h5.O), pointer.number(1)
        table = h5.cursor(address, 8 + count * (14 + 2 * h5.O), "shared message table", b"SMTB")
        for _ in range(count):
            table.take(2)
            types = table.number(2)
            table.take(10 + h5.O)
            heap = table.number(h5.O)
            if not h5.is_undefined(heap):
                found.append((types, FractalHeap(h5, heap)))
    return found


def text(raw):
    return raw.decode("utf-8", "surrogateescape")


def links(h5, header):
    """Returns {name: (kind, target)} of the links of a group in any of its forms."""
    found = {}
    for kind, message in header:
        if kind == 0x11:
            found.update(old_links(h5, message))
        elif kind == 0x06:
            found.update([link(h5, message)])
        elif kind == 0x02:
            info = Cursor(message, "link info message")
            info.expect(info.number(1), (0,), "version")
            flags = info.number(1)
            info.take(8 if flags & 1 else 0)
            heap, names = info.number(h5.O), info.number(h5.O)
            if not h5.is_undefined(heap):
                heap = FractalHeap(h5, heap)
                for record in BTree(h5, names, (5,), 4 + heap.id_size):
                    found.update([link(h5, heap.object(record[4:]))])
    return found


def link(h5, message):
    link = Cursor(message, "link message")
    link.expect(link.number(1), (1,), "version")
    flags = link.number(1)
    kind = link.number(1) if flags & 8 else 0
    link.take((8 if flags & 4 else 0) + (1 if flags & 16 else 0))
    name = text(link.take(link.number(1 << (flags & 3))))
    if kind == 0:
        return name, ("hard", link.number(h5.O))
    value = Cursor(link.take(link.number(2)), "link %s" % name)
    if kind == 1:
        return name, ("soft", text(value.take(value.left())))
    if kind == 64:
        value.take(1)
        return name, ("external", (os.fsdecode(value.text()), text(value.text())))
    return name, ("of kind %d" % kind, None)


def old_links(h5, message):
    """Yields the links of a symbol table message: a version 1 B-tree of nodes, with names in a local heap."""
    table = Cursor(message, "symbol table message")
    tree, heap = table.number(h5.O), table.number(h5.O)
    head = h5.cursor(heap, 8 + 2 * h5.L + h5.O, "local heap", b"HEAP", checked=False)
    head.expect(head.number(1), (0,), "version")
    head.take(3)
    size = head.number(h5.L)
    head.take(h5.L)
    names = h5.at(head.number(h5.O), size, "local heap data")

    def name(offset):
        cursor = Cursor(names, "local heap data")
        cursor.take(offset)
        return text(cursor.text())

    pending, seen = [tree], set()
    while pending:
        address = pending.pop()
        if address in seen:
            raise FormatError("nodes of a group form a ring: address=%d" % address)
        seen.add(address)
        if h5.at(address, 4, "node of a group") == b"TREE":
            count = int.from_bytes(h5.at(address + 6, 2, "B-tree node"), "little")
            size = 8 + 2 * h5.O + count * (h5.L + h5.O)
            node = h5.cursor(address, size, "B-tree node", b"TREE", checked=False)
            node.expect(node.number(1), (0,), "type")
            node.take(3 + 2 * h5.O)
            for _ in range(count):
                node.take(h5.L)
                pending.append(node.number(h5.O))
            continue
        count = int.from_bytes(h5.at(address + 6, 2, "symbol table node"), "little")
        size = 8 + count * (h5.L + h5.O + 24)
        node = h5.cursor(address, size, "symbol table node", b"SNOD", checked=False)
        node.take(4)
        for _ in range(count):
            offset, target, kind = node.number(h5.L), node.number(h5.O), node.number(4)
            node.take(4)
            scratch = node.take(16)
            if kind == 2:
                yield name(offset), ("soft", name(int.from_bytes(scratch[:4], "little")))
            else:
                yield name(offset), ("hard", target)


def locate(h5, path):
    """Returns (file, object header) of the object at an absolute path; follows soft and external links."""
    parts, address, followed, trail = path.split("/"), h5.root, 0, ""
    parts.reverse()
    while parts:
        part = parts.pop()
        if part in ("", "."):
            continue
        known = links(h5, messages(h5, address))
        if part not in known:
            raise FormatError(
                "no such object: %s/%s in %s; there is: %s"
                % (trail, part, h5.path, ", ".join(sorted(known)) or "nothing"))
        kind, target = known[part]
        if kind == "hard":
            address, trail = target, trail + "/" + part
            continue
        followed += 1
        if followed > LINK_LIMIT:
            raise FormatError("too many links to follow: path=%s" % path)
        if kind == "external":
            h5 = H5(os.path.join(os.path.dirname(h5.path), target[0]))
            target, address, trail = "/" + target[1], h5.root, ""
        elif kind != "soft":
            raise FormatError("a link %s is not followed: %s/%s" % (kind, trail, part))
        elif target.startswith("/"):
            address, trail = h5.root, ""
        parts.extend(reversed(target.split("/")))
    return h5, messages(h5, address)


def sparse_paths(h5):
    """Yields path and object header of every sparse dataset that is reachable by hard links, each once."""
    pending, seen = [("", h5.root)], set()
    while pending:
        path, address = pending.pop()
        if address in seen:
            continue
        seen.add(address)
        header = messages(h5, address)
        if any(kind == 0x08 and body[:2] == b"\5\4" for kind, body in header):
            yield path, header
        inside = sorted(links(h5, header).items(), reverse=True)
        pending.extend((path + "/" + name, target) for name, (kind, target) in inside if kind == "hard")


# ---- datatypes ---------------------------------------------------------------------------------


class Plain:
    """A type of fixed size that is a numpy type or raw bytes.

    stored is the numpy type of the bytes in the file, given the type of the decoded values.
    """

    variable = False

    def __init__(self, dtype):
        self.stored = dtype
        self.given = dtype.newbyteorder("=")

    def __str__(self):
        return str(self.stored) if self.stored.names else self.stored.str

    def decode(self, raw, heap):
        """Returns the decoded values of an array of stored elements."""
        return raw.astype(self.given.base)


class Compound:
    """A compound with members of variable length."""

    variable = True

    def __init__(self, members, size):
        self.members = [(name, kind) for name, _, kind in members]
        self.stored = compound_dtype([(name, at, kind.stored) for name, at, kind in members], size)
        self.given = np.dtype([(name, kind.given) for name, kind in self.members])

    def __str__(self):
        return "{%s}" % ", ".join("%s: %s" % member for member in self.members)

    def decode(self, raw, heap):
        values = np.empty(raw.shape, self.given)
        for name, kind in self.members:
            values[name] = kind.decode(raw[name], heap)
        return values


class Array:
    """An array of elements of variable length, which numpy represents by additional dimensions."""

    variable = True

    def __init__(self, base, shape):
        self.base, self.shape = base, shape
        self.stored = np.dtype((base.stored, shape))
        self.given = np.dtype((base.given, shape))

    def __str__(self):
        return "%s of %s" % (self.shape, self.base)

    def decode(self, raw, heap):
        return self.base.decode(raw, heap)


class Sequence:
    """A string or sequence of variable length: a stored element is a descriptor of contents in a heap."""

    variable = True
    given = np.dtype(object)

    def __init__(self, base, is_string, size):
        self.base, self.is_string = base, is_string
        self.stored = np.dtype("V%d" % size)

    def __str__(self):
        return "string" if self.is_string else "sequence of %s" % self.base

    def decode(self, raw, heap):
        size, element = self.stored.itemsize, self.base.stored.itemsize
        flat = raw.tobytes()
        values = np.empty(raw.size, object)
        for i in range(raw.size):
            content = heap.content(flat[i * size : (i + 1) * size], element)
            if not self.is_string:
                content = self.base.decode(elements_of(content, self.base.stored), heap)
            values[i] = content
        return values.reshape(raw.shape)


def elements_of(data, stored):
    """Returns packed stored elements as an array, with additional dimensions for array types."""
    count = len(data) // stored.itemsize
    flat = np.frombuffer(data, stored.base, count * (stored.itemsize // stored.base.itemsize))
    return flat.reshape((count,) + stored.shape)


def compound_dtype(members, size):
    names, offsets, formats = zip(*members) if members else ((), (), ())
    return np.dtype({"names": names, "offsets": offsets, "formats": formats, "itemsize": size})


def datatype(message):
    cursor = Cursor(message, "datatype message")
    try:
        return any_type(cursor, 0)
    except (ValueError, TypeError, OverflowError) as e:
        raise FormatError("numpy has no such datatype: %s" % e) from None


def any_type(cursor, depth):
    first, bits, size = cursor.number(1), cursor.number(3), cursor.number(4)
    version, kind = first >> 4, first & 15
    cursor.expect(version, range(1, 6), "version")
    if not 0 < size < 2**31 or depth > NESTING_LIMIT:
        raise FormatError("datatype message: size=%d depth=%d" % (size, depth))
    raw = np.dtype("V%d" % size)
    order = ">" if bits & 1 else "<"
    if kind in (0, 4):
        offset, precision = cursor.number(2), cursor.number(2)
        if size not in (1, 2, 4, 8) or offset or precision != 8 * size:
            return Plain(raw)
        return Plain(np.dtype("%s%s%d" % (order, "i" if kind == 0 and bits & 8 else "u", size)))
    if kind == 1:
        ieee = {2: (16, 10, 5, 0, 10, 15), 4: (32, 23, 8, 0, 23, 127), 8: (64, 52, 11, 0, 52, 1023)}
        offset, *actual = cursor.numbers(2, 2) + cursor.numbers(1, 4) + [cursor.number(4)]
        plain = offset == 0 and tuple(actual) == ieee.get(size) and not bits & 64
        return Plain(np.dtype("%sf%d" % (order, size)) if plain else raw)
    if kind == 3:
        return Plain(np.dtype("S%d" % size))
    if kind in (2, 5, 7):
        cursor.take({2: 2, 5: bits & 0xFF, 7: 0}[kind])
        return Plain(raw)
    if kind == 6:
        return compound(cursor, version, bits & 0xFFFF, size, depth)
    if kind == 8:
        base = any_type(cursor, depth + 1)
        for _ in range(bits & 0xFFFF):
            member_name(cursor, version)
        cursor.take((bits & 0xFFFF) * base.stored.itemsize)
        cursor.expect(base.stored.itemsize, (size,), "size of the base type")
        return base
    if kind == 9:
        return Sequence(any_type(cursor, depth + 1), bits & 15 == 1, size)
    if kind == 10:
        rank = cursor.number(1)
        cursor.take(3 if version < 3 else 0)
        shape = tuple(cursor.numbers(4, rank))
        cursor.take(4 * rank if version < 3 else 0)
        array = array_of(any_type(cursor, depth + 1), shape)
        cursor.expect(array.stored.itemsize, (size,), "size of the array")
        return array
    if kind == 11:
        base = any_type(cursor, depth + 1).stored
        if base.kind == "f" and base.itemsize >= 4 and size == 2 * base.itemsize:
            return Plain(np.dtype("%sc%d" % (base.str[0], size)))
        return Plain(raw)
    raise FormatError("datatype message: class=%d is not known" % kind)


def array_of(base, shape):
    if 0 in shape:
        raise FormatError("datatype message: an array without elements: shape=%s" % (shape,))
    return Array(base, shape) if base.variable else Plain(np.dtype((base.stored, shape)))


def member_name(cursor, version):
    name = cursor.text()
    # Up to version 2 the name and its NUL are padded to a multiple of eight bytes.
    cursor.take(-(len(name) + 1) % 8 if version < 3 else 0)
    return text(name)


def compound(cursor, version, count, size, depth):
    members = []
    for _ in range(count):
        name = member_name(cursor, version)
        at = cursor.number(4 if version < 3 else enough_bytes(size))
        shape = ()
        if version == 1:
            rank = cursor.expect(cursor.number(1), range(5), "dimensions of a member")
            cursor.take(11)
            shape = tuple(cursor.numbers(4, 4)[:rank])
        kind = any_type(cursor, depth + 1)
        kind = array_of(kind, shape) if shape else kind
        if at + kind.stored.itemsize > size:
            raise FormatError("datatype message: member %s leaves the compound: offset=%d" % (name, at))
        members.append((name, at, kind))
    if any(kind.variable for _, _, kind in members):
        return Compound(members, size)
    return Plain(compound_dtype([(name, at, kind.stored) for name, at, kind in members], size))


# ---- heaps of variable-length contents ---------------------------------------------------------


def collection(data, h5, what):
    """Returns {index: bytes} of the objects in a global heap collection."""
    cursor = Cursor(data, what)
    if cursor.take(4) != b"GCOL":
        raise FormatError("%s: signature=%r expected=b'GCOL'" % (what, data[:4]))
    cursor.expect(cursor.number(1), (1,), "version")
    cursor.take(3)
    cursor.expect(cursor.number(h5.L), (len(data),), "size")
    objects = {}
    while cursor.left() >= 8 + h5.L:
        index = cursor.number(2)
        cursor.take(6)
        size = cursor.number(h5.L)
        if index == 0:
            break
        if index in objects:
            raise FormatError("%s: there are two objects %d" % (what, index))
        objects[index] = cursor.take(size)
        cursor.take(min(-size % 8, cursor.left()))
    return objects


class SectionHeap:
    """The heap in section 2 of a sparse chunk."""

    def __init__(self, section, h5, what):
        self.what, self.slots = what, []
        if not section:
            return
        head = Cursor(section, what)
        if head.take(4) != b"HGLS":
            raise FormatError("%s: signature=%r expected=b'HGLS'" % (what, section[:4]))
        head.expect(head.number(1), (1,), "version")
        head.take(3)
        count = head.number(4)
        if not 1 <= count <= 65536:
            raise FormatError("%s: heap slots=%d expected=1..65536" % (what, count))
        slots = [(head.number(h5.L), head.number(h5.L)) for _ in range(count)]
        end = head.at
        for offset, length in sorted(slot for slot in slots if slot != (0, 0)):
            if offset < end or offset + length > len(section):
                raise FormatError("%s: no place for a collection: offset=%d length=%d" % (what, offset, length))
            end = offset + length
        for i, (offset, length) in enumerate(slots):
            free = (offset, length) == (0, 0)
            data = section[offset : offset + length]
            self.slots.append({} if free else collection(data, h5, "%s, slot %d" % (what, i)))

    def content(self, descriptor, element):
        length, slot, index = struct.unpack_from("<IHH", descriptor)
        if any(descriptor[8:]):
            raise FormatError("%s: a descriptor does not end with zeros: %s" % (self.what, descriptor.hex()))
        if length == 0 and slot == 0 and index == 0:
            return b""
        if slot >= len(self.slots) or index not in self.slots[slot]:
            raise FormatError("%s: a descriptor points nowhere: slot=%d index=%d" % (self.what, slot, index))
        data = self.slots[slot][index]
        if len(data) != length * element:
            raise FormatError(
                "%s: bytes of an object=%d expected=%d x %d, slot=%d index=%d"
                % (self.what, len(data), length, element, slot, index))
        return data


class FileHeap:
    """The global heap of the file, with the variable-length contents of dense datasets and fill values."""

    def __init__(self, h5):
        self.h5, self.collections = h5, {}

    def content(self, reference, element):
        cursor = Cursor(reference, "reference into the global heap")
        length, address, index = cursor.number(4), cursor.number(self.h5.O), cursor.number(4)
        if length == 0:
            return b""
        if address not in self.collections:
            what = "global heap collection at %d" % address
            size = int.from_bytes(self.h5.at(address + 8, self.h5.L, what), "little")
            self.collections[address] = collection(self.h5.at(address, size, what), self.h5, what)
        data = self.collections[address].get(index)
        if data is None or len(data) < length * element:
            raise FormatError("a reference into the global heap points nowhere: %s" % reference.hex())
        return data[: length * element]


# ---- the messages of a dataset -----------------------------------------------------------------


def dataspace(message, length_size):
    """Returns (current, maximum) dimensions; an unlimited maximum is ALL_ONES."""
    space = Cursor(message, "dataspace message")
    version = space.expect(space.number(1), (1, 2), "version")
    rank, flags = space.number(1), space.number(1)
    kind = space.number(1)
    if version == 1:
        space.take(4)
    elif kind == 2:
        raise FormatError("a null dataspace has no elements")
    if rank > 32:
        raise FormatError("dataspace message: rank=%d expected at most 32" % rank)
    current = space.numbers(length_size, rank)
    if max(current, default=0) > LARGEST:
        raise FormatError("dataspace message: a dimension is beyond 2^63: extent=%s" % current)
    maximum = space.numbers(length_size, rank) if flags & 1 else list(current)
    unlimited = (1 << (8 * length_size)) - 1
    return current, [ALL_ONES if m == unlimited else m for m in maximum]


def fill_value(header, datatype, heap):
    value = b""
    for kind, message in header:
        fill = Cursor(message, "fill value message")
        if kind == 0x04 and not value:
            value = fill.take(fill.number(4))
        elif kind == 0x05:
            version = fill.expect(fill.number(1), (1, 2, 3), "version")
            if version == 3:
                has_value = fill.number(1) & 0x20
            else:
                fill.take(2)
                has_value = fill.number(1) or version == 1
            value = fill.take(fill.number(4)) if has_value else b""
    size = datatype.stored.itemsize
    if value and len(value) != size:
        raise FormatError("fill value message: size=%d expected=%d" % (len(value), size))
    return datatype.decode(elements_of(value or bytes(size), datatype.stored), heap)[0]


def filter_list(cursor, count):
    """Returns [(id, flags, parameters)] of filters encoded as in a version 2 pipeline."""
    filters = []
    for _ in range(count):
        number = cursor.number(2)
        name = cursor.number(2) if number >= 256 else 0
        flags, parameters = cursor.number(2), cursor.number(2)
        cursor.take(name)
        filters.append((number, flags, cursor.numbers(4, parameters)))
    return filters


def pipelines(header, sections):
    """Returns {section: filters}; the pipeline of a dense dataset is under section 0."""
    found = {}
    for kind, message in header:
        if kind not in (0x0B, 0x19):
            continue
        pipeline = Cursor(message, "filter pipeline message")
        version = pipeline.expect(pipeline.number(1), (1,) if kind == 0x19 else (1, 2, 3), "version")
        count = pipeline.number(1)
        if kind == 0x19 or version == 3:
            for _ in range(count):
                section, filters = pipeline.number(1), pipeline.number(1)
                pipeline.expect(section, set(range(sections)) - set(found), "section")
                inside = Cursor(pipeline.take(pipeline.number(2)), "filters of section %d" % section)
                found[section] = filter_list(inside, filters)
                if inside.left():
                    raise FormatError("%s: bytes after the last: %d" % (inside.what, inside.left()))
        elif version == 2:
            found[0] = filter_list(pipeline, count)
        else:
            pipeline.take(6)
            found[0] = []
            for _ in range(count):
                number, name, flags, parameters = pipeline.numbers(2, 4)
                pipeline.take((name + 7) // 8 * 8)
                found[0].append((number, flags, pipeline.numbers(4, parameters)))
                pipeline.take(4 * (parameters % 2))
    return {section: filters for section, filters in found.items() if filters}


# A stored sparse chunk: its first element, the address and size of its image, and the offsets of sections
# 1 and later in it; with filters also the unfiltered size and the mask of skipped filters of each section.
Stored = collections.namedtuple("Stored", "start address size offsets unfiltered masks")


class Layout:
    """The data layout message: layout class, chunk shape, and address of the chunk index or of the data."""

    def __init__(self, message, h5, rank):
        layout = Cursor(message, "data layout message")
        self.version = layout.expect(layout.number(1), (3, 4, 5), "version")
        self.kind = layout.number(1)
        self.single = None
        self.flags = 0
        self.sections = 1
        if self.kind == 0:
            self.compact = layout.take(layout.number(2))
        elif self.kind == 1:
            self.address, self.size = layout.number(h5.O), layout.number(h5.L)
        elif self.kind == 2 and self.version > 3:
            self.flags = layout.number(1)
            self.dimensions(layout, rank)
            self.index = layout.number(1)
            if self.index == 1 and self.flags & 2:
                self.single = (layout.number(h5.L), layout.number(4))
            self.index_address(layout, h5)
        elif self.kind == 4:
            self.structured(layout, h5, rank)
        else:
            raise FormatError("this layout is not read: version=%d class=%d" % (self.version, self.kind))

    def dimensions(self, layout, rank):
        layout.expect(layout.number(1), (rank + 1,), "dimensions")
        width = layout.expect(layout.number(1), range(1, 9), "bytes per dimension")
        *self.chunk, self.type_size = layout.numbers(width, rank + 1)
        if 0 in self.chunk or max(self.chunk, default=1) > LARGEST:
            raise FormatError("data layout message: chunk=%s" % self.chunk)

    def index_address(self, layout, h5):
        sizes = {1: 0, 2: 0, 3: 1, 4: 5, 5: 6}
        layout.take(sizes[layout.expect(self.index, sizes, "chunk index type")])
        self.address = layout.number(h5.O)

    def structured(self, layout, h5, rank):
        layout.expect(self.version, (5,), "version")
        layout.expect(layout.number(1), (0,), "property version")
        kind = layout.number(2)
        self.flags = layout.number(1)
        if self.flags & ~3:
            raise FormatError("data layout message: flags=%d expected=0..3" % self.flags)
        self.dimensions(layout, rank)
        layout.expect(layout.number(1), (8,), "offset size")
        self.sections = layout.expect(layout.number(1), (2, 3), "sections")
        layout.expect(kind, (0, 1) if self.sections == 2 else (1, 3), "structured chunk type")
        self.checked = list(layout.take(layout.number(1)))
        layout.expect(self.checked, ([0],) if self.sections == 2 else ([0, 1, 2],), "metadata sections")
        self.index = layout.expect(layout.number(1), (1, 3, 4, 5), "chunk index type")
        if self.flags & 2 and self.index != 1:
            raise FormatError("data layout message: flags=%d chunk index type=%d" % (self.flags, self.index))
        chunk_bytes = self.type_size
        for extent in self.chunk:
            chunk_bytes *= extent
        self.width = 8 if self.sections == 3 else min(8, 1 + (max(1, chunk_bytes).bit_length() - 1 + 8) // 8)
        if self.index == 1:
            size = layout.number(self.width)
            self.single = (size, *self.sections_of(layout, bool(self.flags & 2)))
        self.index_address(layout, h5)

    def sections_of(self, cursor, filtered):
        """Returns (offsets, unfiltered sizes, masks) at the end of an index record."""
        offsets = cursor.numbers(8, self.sections - 1)
        if not filtered:
            return offsets, None, None
        return offsets, cursor.numbers(8, self.sections), cursor.numbers(4, self.sections)


# ---- chunk indexes -----------------------------------------------------------------------------
#
# Each index yields (number of the chunk in the index, bytes of its record) for its initialized parts.


def elements(cursor, first, count, size):
    for i in range(count):
        yield first + i, cursor.take(size)


def bit(bits, i):
    return bits[i // 8] >> (7 - i % 8) & 1


def array_prefix(cursor, h5, client, header):
    cursor.expect(cursor.number(1), (0, 1), "version")
    cursor.expect(cursor.number(1), (client,), "client id")
    cursor.expect(cursor.number(h5.O), (header,), "header address")


def pages(h5, address, first, count, page, size, initialized, what):
    for number, start in enumerate(range(0, count, page)):
        in_page = min(page, count - start)
        if initialized(number):
            data = verify(h5.at(address, in_page * size + 4, what), what + " at %d" % address)
            yield from elements(Cursor(data, what), first + start, in_page, size)
        address += page * size + 4


def fixed_array(h5, address, client, size):
    head = h5.cursor(address, 8 + h5.L + h5.O + 4, "fixed array header", b"FAHD")
    head.expect(head.number(1), (0, 1), "version")
    head.expect(head.number(1), (client,), "client id")
    head.expect(head.number(1), (size,), "element size")
    page_bits, count, block = head.number(1), head.number(h5.L), head.number(h5.O)
    if page_bits > 62:
        raise FormatError("fixed array header: page bits=%d" % page_bits)
    if h5.is_undefined(block):
        return
    page, what = 1 << page_bits, "fixed array data block"
    prefix = 6 + h5.O
    if count <= page:
        data = h5.cursor(block, prefix + count * size + 4, what, b"FADB")
        array_prefix(data, h5, client, address)
        yield from elements(data, 0, count, size)
        return
    bitmap_size = (-(-count // page) + 7) // 8
    data = h5.cursor(block, prefix + bitmap_size + 4, what, b"FADB")
    array_prefix(data, h5, client, address)
    bitmap = data.take(bitmap_size)
    start = block + prefix + bitmap_size + 4
    yield from pages(h5, start, 0, count, page, size, lambda i: bit(bitmap, i), "fixed array page")


class ExtensibleArray:
    def __init__(self, h5, address, client, size):
        self.h5, self.address, self.client, self.size = h5, address, client, size
        head = h5.cursor(address, 12 + 6 * h5.L + h5.O + 4, "extensible array header", b"EAHD")
        head.expect(head.number(1), (0, 1), "version")
        head.expect(head.number(1), (client,), "client id")
        head.expect(head.number(1), (size,), "element size")
        bits, self.direct, self.least, self.pointers, page_bits = head.numbers(1, 5)
        for name, value in (("data block elements", self.least), ("data block pointers", self.pointers)):
            if value < 1 or value & (value - 1):
                raise FormatError("extensible array header: %s=%d is no power of two" % (name, value))
        if not 0 < bits <= 64 or page_bits > 62:
            raise FormatError("extensible array header: index bits=%d page bits=%d" % (bits, page_bits))
        self.page = 1 << page_bits
        self.offset_size = (bits + 7) // 8
        self.supers = 1 + bits - (self.least.bit_length() - 1)
        head.numbers(h5.L, 6)
        self.index_block = head.number(h5.O)

    def __iter__(self):
        h5 = self.h5
        if h5.is_undefined(self.index_block):
            return
        blocks = 2 * (self.pointers - 1)
        in_index = 2 * (self.pointers.bit_length() - 1)
        secondary = max(0, self.supers - in_index)
        size = 6 + h5.O + self.direct * self.size + (blocks + secondary) * h5.O + 4
        data = h5.cursor(self.index_block, size, "extensible array index block", b"EAIB")
        array_prefix(data, h5, self.client, self.address)
        yield from elements(data, 0, self.direct, self.size)
        addresses, supers = data.numbers(h5.O, blocks), data.numbers(h5.O, secondary)
        first = self.direct
        for number in range(self.supers):
            count, length = 1 << (number // 2), self.least << ((number + 1) // 2)
            if number < in_index:
                # HDF5 stores block offsets here as if i counted all preceding data blocks.
                before = blocks - len(addresses)
                mine, addresses = addresses[:count], addresses[count:]
                for i, address in enumerate(mine):
                    start, stored = first + i * length, first + (before + i) * length
                    yield from self.data_block(address, start, length, (stored, start), None)
            elif not h5.is_undefined(supers[number - in_index]):
                yield from self.super_block(supers[number - in_index], first, count, length)
            first += count * length

    def super_block(self, address, first, count, length):
        h5 = self.h5
        bitmap_size = (length // self.page + 7) // 8 if length > self.page else 0
        prefix = 6 + h5.O + self.offset_size
        size = prefix + count * (bitmap_size + h5.O) + 4
        data = h5.cursor(address, size, "extensible array super block", b"EASB")
        array_prefix(data, h5, self.client, self.address)
        data.expect(data.number(self.offset_size), (first - self.direct,), "block offset")
        # Whole bytes are reserved per data block, but the bits of all blocks are contiguous.
        bitmap, in_block = data.take(count * bitmap_size), length // self.page
        for i, block in enumerate(data.numbers(h5.O, count)):
            start = first + i * length
            yield from self.data_block(
                block, start, length, (start,), lambda page, i=i: bit(bitmap, i * in_block + page))

    def data_block(self, address, first, length, offsets, initialized):
        h5, what = self.h5, "extensible array data block"
        if h5.is_undefined(address):
            return
        prefix = 6 + h5.O + self.offset_size
        paged = length > self.page
        data = h5.cursor(address, prefix + (0 if paged else length * self.size) + 4, what, b"EADB")
        array_prefix(data, h5, self.client, self.address)
        data.expect(data.number(self.offset_size), [o - self.direct for o in offsets], "block offset")
        if not paged:
            yield from elements(data, first, length, self.size)
        elif initialized is None:
            raise FormatError("a paged data block hangs from the index block: address=%d" % address)
        else:
            yield from pages(
                h5, address + prefix + 4, first, length, self.page, self.size, initialized,
                "extensible array page")


# ---- one dataset -------------------------------------------------------------------------------


class Dataset:
    def __init__(self, h5, header, name):
        self.h5, self.name = h5, name
        bodies = dict(reversed(header))
        for kind, what in ((0x01, "dataspace"), (0x03, "datatype"), (0x08, "layout")):
            if kind not in bodies:
                raise FormatError("not a dataset, it has no %s message: path=%s" % (what, name))
        self.shape, self.maximum = dataspace(bodies[0x01], h5.L)
        self.datatype = datatype(bodies[0x03])
        self.element = self.datatype.stored.itemsize
        if self.element > max(h5.size, ELEMENT_LIMIT):
            raise FormatError("datatype message: element size=%d file size=%d" % (self.element, h5.size))
        self.fill = fill_value(header, self.datatype, FileHeap(h5))
        self.layout = Layout(bodies[0x08], h5, len(self.shape))
        self.pipelines = pipelines(header, self.layout.sections)
        if self.layout.kind in (2, 4) and self.layout.type_size != self.element:
            raise FormatError(
                "data layout message: type size=%d datatype=%d" % (self.layout.type_size, self.element))
        if self.layout.kind == 4 and self.datatype.variable != (self.layout.sections == 3):
            raise FormatError(
                "data layout message: sections=%d for a datatype %s" % (self.layout.sections, self.datatype))

    @staticmethod
    def at(path, name):
        return Dataset(*locate(H5(path), name), name)

    def chunk_grid(self):
        """Returns a function from the number of a chunk to its first element.

        Numbers are row-major in the maximum extent; an unlimited dimension is the slowest.
        """
        counts = [None if m == ALL_ONES else max(1, -(-m // c)) for m, c in zip(self.maximum, self.layout.chunk)]
        order = list(range(len(counts)))
        if self.layout.index == 4:
            unlimited = [i for i, count in enumerate(counts) if count is None]
            if len(unlimited) != 1:
                raise FormatError("an extensible array needs one unlimited dimension: %s" % self.maximum)
            order.insert(0, order.pop(unlimited[0]))
        elif None in counts:
            raise FormatError("chunk index type %d cannot have unlimited dimensions" % self.layout.index)

        def position(number):
            scaled = [0] * len(order)
            for dimension in reversed(order[1:]):
                number, scaled[dimension] = divmod(number, counts[dimension])
            if order:
                scaled[order[0]] = number
            return self.start_of(scaled)

        return position

    def start_of(self, scaled):
        start = [s * c for s, c in zip(scaled, self.layout.chunk)]
        if any(s + c > LARGEST for s, c in zip(start, self.layout.chunk)):
            raise FormatError("a chunk is beyond 2^63: scaled=%s chunk=%s" % (scaled, self.layout.chunk))
        return start

    def records(self, size, scaled_at, client, tree_type):
        """Yields (start of the chunk, its record without coordinates) of all records in an array or B-tree.

        A record of a B-tree has the scaled coordinates at the byte scaled_at.
        """
        layout, h5 = self.layout, self.h5
        if h5.is_undefined(layout.address):
            return
        if layout.index == 5:
            rank, last = len(self.shape), None
            for record in BTree(h5, layout.address, (tree_type,), size + 8 * rank):
                scaled = list(struct.unpack_from("<%dQ" % rank, record, scaled_at))
                if last is not None and scaled <= last:
                    raise FormatError("B-tree of chunks: not in order: %s after %s" % (scaled, last))
                last = scaled
                yield self.start_of(scaled), record[:scaled_at] + record[scaled_at + 8 * rank :]
            return
        if layout.index == 3:
            index = fixed_array(h5, layout.address, client, size)
        else:
            index = ExtensibleArray(h5, layout.address, client, size)
        position = self.chunk_grid()
        undefined = b"\xff" * h5.O
        for number, record in index:
            if record[: h5.O] != undefined:
                yield position(number), record

    def is_unfiltered_edge(self, start):
        return self.layout.flags & 1 and any(
            s + c > n for s, c, n in zip(start, self.layout.chunk, self.shape))


# ---- filters -----------------------------------------------------------------------------------


def inflate(data, limit, what):
    try:
        inflater = zlib.decompressobj()
        data = inflater.decompress(data, limit)
    except zlib.error as e:
        raise FormatError("%s: deflate: %s" % (what, e)) from None
    if not inflater.eof:
        raise FormatError("%s: deflate: cut short or larger than %d" % (what, limit))
    return data


def unshuffle(data, size):
    whole = len(data) // size * size
    planes = np.frombuffer(data[:whole], np.uint8).reshape(size, -1)
    return planes.T.tobytes() + data[whole:]


def unzstd(data, limit, what):
    try:
        import zstandard
    except ImportError:
        raise FormatError("%s: zstd needs the module zstandard" % what) from None
    try:
        return zstandard.ZstdDecompressor().decompressobj().decompress(data)[: limit + 1]
    except zstandard.ZstdError as e:
        raise FormatError("%s: zstd: %s" % (what, e)) from None


def unlz4(data, limit, what):
    """Reverses filter 32004: total size and block size, big-endian, then the stored size and bytes of each block."""
    try:
        import lz4.block
    except ImportError:
        raise FormatError("%s: lz4 needs the module lz4" % what) from None
    head = Cursor(data, what + ": lz4")
    total, size = int.from_bytes(head.take(8), "big"), int.from_bytes(head.take(4), "big")
    if total > limit or not size and total:
        raise FormatError("%s: lz4: size=%d block=%d" % (what, total, size))
    pieces, left = [], total
    while left:
        length = min(size, left)
        piece = head.take(int.from_bytes(head.take(4), "big"))
        try:
            pieces.append(piece if len(piece) == length else lz4.block.decompress(piece, length))
        except lz4.block.LZ4BlockError as e:
            raise FormatError("%s: lz4: %s" % (what, e)) from None
        left -= length
    return b"".join(pieces)


def unfilter(data, filters, mask, expected, what):
    if mask >> len(filters):
        raise FormatError("%s: filter mask=%x but filters=%d" % (what, mask, len(filters)))
    # Allows for bytes that other filters may have added; anything larger is damaged.
    limit = min(2 * expected + 1024, 2**62)
    for i in reversed(range(len(filters))):
        number, _, parameters = filters[i]
        if mask >> i & 1:
            continue
        if number == 1:
            data = inflate(data, limit, what)
        elif number == 2:
            size = parameters[0] if parameters else 1
            data = unshuffle(data, size) if 1 < size <= len(data) else data
        elif number == 3:
            stored = struct.unpack("<I", data[-4:])[0] if len(data) >= 4 else None
            data = data[:-4]
            if stored != fletcher32(data):
                raise FormatError("%s: fletcher32 does not match" % what)
        elif number == 32015:
            data = unzstd(data, limit, what)
        elif number == 32004:
            data = unlz4(data, limit, what)
        else:
            raise FormatError("%s: this filter is not read: id=%d" % (what, number))
    if len(data) != expected:
        raise FormatError("%s: size after filters=%d expected=%d" % (what, len(data), expected))
    return data


# ---- selections --------------------------------------------------------------------------------


def block_coordinates(starts, ends, shape, limit):
    """Returns the coordinates of all elements of disjoint blocks (ends inclusive), in row-major order."""
    if (starts > ends).any() or (ends >= np.array(shape, np.uint64)).any():
        raise FormatError("selection: a block is not inside the chunk: chunk=%s" % shape)
    extents = (ends - starts + np.uint64(1)).astype(np.int64)
    if extents.prod(axis=1, dtype=np.float64).sum() > limit:
        raise FormatError("selection: more elements than values: values=%d" % limit)
    counts = extents.prod(axis=1)
    total = int(counts.sum())
    block = np.repeat(np.arange(len(starts)), counts)
    within = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    coords = np.empty((total, len(shape)), np.int64)
    for dimension in reversed(range(len(shape))):
        extent = extents[block, dimension]
        coords[:, dimension] = starts[block, dimension].astype(np.int64) + within % extent
        within //= extent
    return coords[np.lexsort(coords.T[::-1])] if len(shape) else coords


def regular_axis(start, stride, count, block, extent):
    """Returns (start, stride, count, block, elements of the last block beyond the extent)."""
    if block == ALL_ONES:
        count, block = 1, max(0, extent - start)
    overhang = 0
    if count == ALL_ONES:
        # All blocks that begin in the extent; the last one may exceed it.
        count = max(0, -(-(extent - start) // max(1, stride)))
        overhang = max(0, start + (count - 1) * stride + block - extent)
    last = start + (count - 1) * stride + block - overhang
    if count and block and (stride < 1 or last > extent or count > 1 and stride < block):
        raise FormatError(
            "selection: no such hyperslab in %d elements: start=%d stride=%d count=%d block=%d"
            % (extent, start, stride, count, block))
    return start, stride, count, block, overhang


def regular_coordinates(parameters, shape, limit):
    axes, total = [], 1
    for numbers, extent in zip(parameters, shape):
        axes.append(regular_axis(*numbers, extent))
        _, _, count, block, overhang = axes[-1]
        total *= max(0, count * block - overhang)
    if total > limit:
        raise FormatError("selection: more elements than values: values=%d" % limit)
    if not axes or not total:
        return np.zeros((total, len(shape)), np.int64)
    lines = []
    for (start, stride, count, block, _), extent in zip(axes, shape):
        firsts = start + (stride * np.arange(count) if count > 1 else np.zeros(1, np.int64))
        axis = (firsts[:, None] + np.arange(block)).ravel()
        lines.append(axis[axis < extent])
    return np.stack([a.ravel() for a in np.meshgrid(*lines, indexing="ij")], axis=1)


def hyperslab(selection, version, shape, limit):
    """Returns (coordinates, bytes per number, first and last element of each block or None if regular)."""
    rank = len(shape)
    length = None
    if version == 1:
        selection.take(4)
        length = selection.number(4)
        flags, width = 0, 4
    elif version == 2:
        flags, width = selection.number(1), 8
        length = selection.number(4)
        selection.expect(flags & 1, (1,), "regular flag")
    else:
        flags = selection.number(1)
        width = selection.expect(selection.number(1), (2, 4, 8), "bytes per number")
    if length is not None:
        selection.expect(length, (selection.left(),), "length of a hyperslab")
    selection.expect(selection.number(4), (rank,), "rank")
    unlimited = (1 << (8 * width)) - 1
    if flags & 1:
        values = [ALL_ONES if v == unlimited else v for v in selection.numbers(width, 4 * rank)]
        coords = regular_coordinates([values[4 * i : 4 * i + 4] for i in range(rank)], shape, limit)
        return coords, width, None
    blocks = selection.number(4 if version == 1 else width)
    bounds = selection.array(width, 2 * rank * blocks).reshape(blocks, 2, rank)
    return block_coordinates(bounds[:, 0], bounds[:, 1], shape, limit), width, bounds.tolist()


def points(selection, version, shape):
    """Returns (coordinates in the order of the list, bytes per number)."""
    if version == 1:
        selection.take(4)
        selection.expect(selection.number(4), (selection.left(),), "length of a list of points")
        width = 4
    else:
        width = selection.expect(selection.number(1), (2, 4, 8), "bytes per number")
    rank = selection.expect(selection.number(4), (len(shape),), "rank")
    count = selection.number(width)
    coords = selection.array(width, count * rank).reshape(count, rank)
    if (coords >= np.array(shape, np.uint64)).any():
        raise FormatError("selection: a point is not inside the chunk: chunk=%s" % shape)
    return coords.astype(np.int64), width


# The encoding of a selection: kind ("none", "all", "points", "blocks" or "regular"), version, bytes per
# number (0 if it has no numbers), and for blocks the first and last element of each block.
Form = collections.namedtuple("Form", "kind version width blocks")


def selection_of(data, chunk, limit, what="section 0"):
    """Returns the coordinates (n x rank, relative to the chunk, in iteration order) and form of a selection.

    A selection of more than limit elements is refused before memory is allocated for it.
    """
    whole = Cursor(data, what)
    whole.expect(whole.number(1), (1,), "object type")
    whole.expect(whole.number(1), (0,), "encoding version")
    length_size = whole.expect(whole.number(1), (2, 4, 8), "size of lengths")
    shape, _ = dataspace(whole.take(whole.number(4)), length_size)
    if shape != list(chunk):
        raise FormatError("%s: extent=%s expected chunk=%s" % (what, shape, list(chunk)))
    kind, version = whole.number(4), whole.number(4)
    if kind == 1:
        coords, width = points(whole, whole.expect(version, (1, 2), "point selection version"), shape)
        form = Form("points", version, width, None)
    elif kind == 2:
        whole.expect(version, (1, 2, 3), "hyperslab version")
        coords, width, blocks = hyperslab(whole, version, shape, limit)
        form = Form("regular" if blocks is None else "blocks", version, width, blocks)
    else:
        whole.expect(kind, (0, 1, 2, 3), "selection type")
        whole.expect(version, (1,), "selection version")
        whole.take(8)
        form = Form("all" if kind else "none", version, 0, None)
        coords = regular_coordinates([(0, 1, int(kind == 3), n) for n in shape], shape, limit)
        if kind == 0:
            coords = coords[:0]
    if whole.left():
        raise FormatError("%s: bytes after the selection: %d" % (what, whole.left()))
    return coords, form


# ---- sparse ------------------------------------------------------------------------------------


def structured_chunks(data):
    """Yields a Stored for every chunk that exists."""
    layout, h5 = data.layout, data.h5
    filtered = bool(data.pipelines)
    if layout.index == 1:
        if filtered != bool(layout.flags & 2):
            raise FormatError(
                "data layout message: flags=%d filtered sections=%d" % (layout.flags, len(data.pipelines)))
        if not h5.is_undefined(layout.address):
            yield Stored([0] * len(data.shape), layout.address, *layout.single)
        return
    n = layout.sections
    size = h5.O + layout.width + 8 * (n - 1) + (12 * n if filtered else 0)
    client, tree_type = (3, 13) if filtered else (2, 12)
    for start, record in data.records(size, h5.O + layout.width, client, tree_type):
        cursor = Cursor(record, "index record")
        address, size = cursor.number(h5.O), cursor.number(layout.width)
        yield Stored(start, address, size, *layout.sections_of(cursor, filtered))


def sections_of(data, chunk, what):
    """Returns the sections of a chunk after removing filters and checksums."""
    bounds = [0, *chunk.offsets, chunk.size]
    if bounds != sorted(bounds):
        raise FormatError(
            "%s: sections do not follow each other: offsets=%s size=%d" % (what, chunk.offsets, chunk.size))
    image = data.h5.at(chunk.address, chunk.size, what)
    edge = data.is_unfiltered_edge(chunk.start)
    sections = []
    for i, (start, end) in enumerate(zip(bounds, bounds[1:])):
        section, name = image[start:end], "%s, section %d" % (what, i)
        if chunk.unfiltered:
            size, mask = chunk.unfiltered[i], chunk.masks[i]
            if edge and mask:
                raise FormatError("%s: filter mask=%x of a partial chunk stored without filters" % (name, mask))
            if section or size or mask:
                section = unfilter(section, [] if edge else data.pipelines.get(i, []), mask, size, name)
        # A heap without objects has no bytes, not even a checksum.
        empty_heap = i == 2 and not section
        sections.append(verify(section, name) if i in data.layout.checked and not empty_heap else section)
    return sections


# A decoded chunk: coordinates in the dataset, decoded values, the form of the selection, and the stored
# bytes of the values (descriptors for a type of variable length).
Decoded = collections.namedtuple("Decoded", "coords values form raw")


def decode_chunk(data, chunk):
    """Decodes a Stored chunk, including elements beyond the extent of the dataset."""
    what = "chunk at %s, address %d" % (chunk.start, chunk.address)
    sections = sections_of(data, chunk, what)
    name = what + ", section 0"
    coords, form = selection_of(sections[0], data.layout.chunk, len(sections[1]) // data.element, name)
    if len(sections[1]) != len(coords) * data.element:
        raise FormatError(
            "%s: bytes of values=%d expected=%d x %d" % (what, len(sections[1]), len(coords), data.element))
    if form.kind in ("points", "blocks"):
        ordered = coords[np.lexsort(coords.T[::-1])] if coords.shape[1] else coords
        if (ordered[1:] == ordered[:-1]).all(axis=1).any():
            raise FormatError("%s: an element is defined twice" % name)
    heap = SectionHeap(sections[2], data.h5, what + ", section 2") if len(sections) > 2 else None
    values = data.datatype.decode(elements_of(sections[1], data.datatype.stored), heap)
    return Decoded(coords + np.array(chunk.start, np.int64), values, form, sections[1])


def sparse_dataset(h5, header, name):
    data = Dataset(h5, header, name)
    if data.layout.kind != 4:
        raise FormatError("not a sparse dataset: path=%s layout class=%d expected=4" % (name, data.layout.kind))
    return data


def read_sparse(path, dataset):
    """Returns the defined elements of a sparse dataset.

    The result is a dict: shape, dtype, coords (n x rank int64, sorted row-major), values (n), fill.
    Elements stored beyond the extent of the dataset are left out.
    """
    data = sparse_dataset(*locate(H5(path), dataset), dataset)
    given = data.datatype.given
    coords = [np.zeros((0, len(data.shape)), np.int64)]
    values = [np.zeros((0,) + given.shape, given.base)]
    for chunk in structured_chunks(data):
        found = decode_chunk(data, chunk)
        inside = (found.coords < np.array(data.shape)).all(axis=1)
        coords.append(found.coords[inside])
        values.append(found.values[inside])
    coords, values = np.concatenate(coords), np.concatenate(values)
    order = np.lexsort(coords.T[::-1]) if coords.shape[1] else np.arange(len(coords))
    return {
        "shape": tuple(data.shape), "dtype": given, "coords": coords[order], "values": values[order], "fill": data.fill}


def filled(shape, dtype, fill):
    """Returns an array with the fill value in every element; array types add dimensions."""
    try:
        array = np.empty(tuple(shape) + dtype.shape, dtype.base)
    except (MemoryError, ValueError, OverflowError) as e:
        raise FormatError("no memory for the whole array: shape=%s: %s" % (tuple(shape), e)) from None
    if dtype.kind == "O":
        # Wrapped, because the fill value of sequences is an array that numpy must not broadcast.
        box = np.empty(1, object)
        box[0] = fill
        fill = box
    array[...] = fill
    return array


def to_dense(sparse):
    """Returns the result of read_sparse() as a dense array."""
    array = filled(sparse["shape"], sparse["dtype"], sparse["fill"])
    array[tuple(sparse["coords"].T)] = sparse["values"]
    return array


# ---- dense datasets ----------------------------------------------------------------------------


def dense_chunks(data):
    """Yields (start, address, stored size, mask) of every chunk that exists."""
    layout, h5 = data.layout, data.h5
    plain = data.element * int(np.prod(layout.chunk, dtype=object))
    undefined = h5.is_undefined(layout.address)
    if layout.index == 1:
        if not undefined:
            yield ([0] * len(data.shape), layout.address, *(layout.single or (plain, 0)))
    elif layout.index == 2:
        position = data.chunk_grid()
        counts = [-(-n // c) for n, c in zip(data.maximum, layout.chunk)]
        for number in range(0 if undefined else int(np.prod(counts, dtype=object))):
            yield position(number), layout.address + number * plain, plain, 0
    else:
        width = 8 if layout.version == 5 else min(8, 1 + (plain.bit_length() - 1 + 8) // 8)
        filtered = bool(data.pipelines)
        size = h5.O + (width + 4 if filtered else 0)
        for start, record in data.records(size, size, int(filtered), 11 if filtered else 10):
            cursor = Cursor(record, "index record")
            address = cursor.number(h5.O)
            yield start, address, cursor.number(width) if filtered else plain, cursor.number(4) if filtered else 0


def read_dense(path, dataset):
    """Returns a dense dataset (compact, contiguous or chunked) as an array."""
    data = Dataset.at(path, dataset)
    layout, datatype, heap = data.layout, data.datatype, FileHeap(data.h5)
    size = data.element * int(np.prod(data.shape, dtype=object))
    if layout.kind == 4:
        raise FormatError("a sparse dataset, use read_sparse: path=%s" % dataset)
    array = filled(data.shape, datatype.given, data.fill)

    def decoded(raw, shape):
        stored = elements_of(raw, datatype.stored)
        return datatype.decode(stored, heap).reshape(tuple(shape) + datatype.given.shape)

    if layout.kind in (0, 1):
        if layout.kind == 1 and data.h5.is_undefined(layout.address):
            return array
        raw = layout.compact if layout.kind == 0 else data.h5.at(layout.address, size, "contiguous data")
        return decoded(Cursor(raw, "data of %s" % dataset).take(size), data.shape)
    plain = data.element * int(np.prod(layout.chunk, dtype=object))
    for start, address, stored, mask in dense_chunks(data):
        what = "chunk at %s, address %d" % (start, address)
        raw = data.h5.at(address, stored, what)
        if not data.is_unfiltered_edge(start):
            raw = unfilter(raw, data.pipelines.get(0, []), mask, plain, what)
        chunk = decoded(raw, layout.chunk)
        inside = tuple(slice(0, max(0, min(c, n - s))) for s, c, n in zip(start, layout.chunk, data.shape))
        target = tuple(slice(s, s + i.stop) for s, i in zip(start, inside))
        array[target] = chunk[inside]
    return array


# ---- JSON --------------------------------------------------------------------------------------


def plain(value, size=0):
    """Returns a value for JSON: bytes as hex (padded if of fixed size), numbers that are not finite as text."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind in "iub":
            return value.tolist()
        return [plain(v, value.dtype.itemsize) for v in value]
    if isinstance(value, np.void) and value.dtype.names is not None:
        types = value.dtype.fields
        return [plain(value[name], types[name][0].base.itemsize) for name in value.dtype.names]
    if isinstance(value, (bytes, np.void)):
        raw = value.tobytes() if isinstance(value, np.void) else bytes(value)
        return raw.ljust(size if isinstance(value, np.generic) else 0, b"\0").hex()
    if isinstance(value, (complex, np.complexfloating)):
        return [plain(value.real), plain(value.imag)]
    if isinstance(value, (float, np.floating)):
        return float(value) if np.isfinite(value) else str(float(value))
    return int(value)


INDEX_NAMES = {1: "single", 3: "fixed array", 4: "extensible array", 5: "v2 B-tree"}


def dump(data):
    """Returns a sparse dataset with all its chunks as a dict for JSON.

    Coordinates are relative to the dataset, in the order of section 0; "outside" is the number of those
    beyond the extent. "raw" contains the bytes of section 1 without the checksum.
    """
    layout = data.layout
    chunks = []
    for chunk in structured_chunks(data):
        found = decode_chunk(data, chunk)
        chunks.append({
            "scaled": [s // c for s, c in zip(chunk.start, layout.chunk)],
            "address": chunk.address,
            "size": chunk.size,
            "offsets": chunk.offsets,
            "unfiltered": chunk.unfiltered,
            "masks": chunk.masks,
            "selection": found.form._asdict(),
            "coords": found.coords.tolist(),
            "outside": int((found.coords >= np.array(data.shape)).any(axis=1).sum()),
            "values": plain(found.values),
            "raw": found.raw.hex(),
        })
    return {
        "path": data.name,
        "shape": data.shape,
        "maxshape": [None if m == ALL_ONES else m for m in data.maximum],
        "dtype": str(data.datatype),
        "size": data.element,
        "chunk": layout.chunk,
        "fill": plain(data.fill, data.datatype.given.base.itemsize),
        "filters": {section: [list(f) for f in filters] for section, filters in sorted(data.pipelines.items())},
        "flags": layout.flags,
        "index": INDEX_NAMES[layout.index],
        "chunks": chunks,
    }


def write_json(path, dataset, out):
    """Writes one line of JSON for the sparse dataset at a path, or for each sparse dataset of the file."""
    if dataset is not None:
        named = [(dataset, locate(H5(path), dataset))]
    else:
        h5 = H5(path)
        named = ((name, (h5, header)) for name, header in sparse_paths(h5))
    for name, (h5, header) in named:
        json.dump(dump(sparse_dataset(h5, header, name)), out)
        out.write("\n")


# ---- command -----------------------------------------------------------------------------------

# Encoded selections of one-dimensional chunks of 5 elements: those of HDF5 2.0.0, and the same selections in
# other valid versions, encoded by hand.
EXTENT = "0100081800000001010100000000000500000000000000" "0500000000000000"
SELECTIONS = [
    ("02000000 01000000 00000000 10000000 01000000 01000000 01000000 03000000", [1, 2, 3]),
    ("00000000 01000000 00000000 00000000", []),
    ("03000000 01000000 00000000 00000000", [0, 1, 2, 3, 4]),
    ("01000000 01000000 00000000 10000000 01000000 02000000 01000000 04000000", [1, 4]),
    ("01000000 02000000 02 01000000 0200 0400 0100", [4, 1]),
    ("02000000 01000000 00000000 18000000 01000000 02000000 00000000 00000000 03000000 04000000", [0, 3, 4]),
    ("02000000 02000000 01 24000000 01000000 0100000000000000 0200000000000000 0200000000000000 0100000000000000",
     [1, 3]),
    ("02000000 03000000 01 02 01000000 0000 0300 0200 0200", [0, 1, 3, 4]),
    ("02000000 03000000 01 02 01000000 0100 0200 ffff 0100", [1, 3]),
    ("02000000 03000000 00 04 01000000 02000000 00000000 00000000 03000000 04000000", [0, 3, 4]),
    ("02000000 03000000 00 02 01000000 0200 0300 0400 0000 0100", [0, 1, 3, 4]),
]
REFUSED = [
    "02000000 01000000 00000000 10000000 01000000 01000000 01000000 05000000",  # outside
    "02000000 03000000 00 02 01000000 0200 0000 0400 0000 0400",  # overlapping
    "01000000 02000000 03 01000000 020000",  # invalid width
    "02000000 04000000 00000000",  # invalid version
    "01000000 01000000 00000000 10000000 01000000 ffffffff 01000000",  # a count that exceeds the data
]


def self_test():
    assert lookup3(b"") == 0xDEADBEEF
    assert lookup3(b"Four score and seven years ago") == 0x17770551
    assert lookup3(b"Four score and seven years ago", 1) == 0xCD628161
    image = bytes.fromhex(EXTENT + SELECTIONS[0][0].replace(" ", ""))
    assert lookup3(image) == 0x9308F29B
    assert fletcher32(b"") == 0
    assert fletcher32(b"\x00\x01\x00\x02\x03") == (1 + 3 + 0x303) << 16 | 0x303
    assert fletcher32(b"\xff\xff") == 0xFFFFFFFF
    for text, expected in SELECTIONS:
        actual, _ = selection_of(bytes.fromhex(EXTENT + text.replace(" ", "")), [5], 5)
        assert actual.ravel().tolist() == expected, (text, actual.ravel().tolist(), expected)
    for text in REFUSED:
        try:
            selection_of(bytes.fromhex(EXTENT + text.replace(" ", "")), [5], 5)
        except FormatError:
            continue
        raise AssertionError("accepted: " + text)
    grid = block_coordinates(np.array([[1, 0], [0, 2]], np.uint64), np.array([[1, 1], [1, 3]], np.uint64), [2, 4], 6)
    assert grid.tolist() == [[0, 2], [0, 3], [1, 0], [1, 1], [1, 2], [1, 3]]
    print("self-test: %d selections read, %d refused" % (len(SELECTIONS), len(REFUSED)))


def summary(sparse):
    n, total = len(sparse["values"]), int(np.prod(sparse["shape"], dtype=object))
    print("shape    %s" % " x ".join(map(str, sparse["shape"])))
    print("type     %s" % sparse["dtype"])
    print("fill     %s" % sparse["fill"])
    print("defined  %d of %d (%.4g %%)" % (n, total, 100 * n / total if total else 0))
    if n:
        print("from     %s" % sparse["coords"].min(axis=0).tolist())
        print("to       %s" % sparse["coords"].max(axis=0).tolist())
        if sparse["values"].dtype.kind in "iuf":
            print("values   %s .. %s" % (sparse["values"].min(), sparse["values"].max()))


def cell(value):
    """Returns a value as a cell of a table: a number, a string, or JSON."""
    if isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return json.dumps(plain(value))


def write_csv(sparse, out):
    table = csv.writer(out, lineterminator="\n")
    values = sparse["values"]
    # Numbers are converted all at once, other values one by one.
    cells = values.tolist() if values.dtype.kind in "iuf" and values.ndim == 1 else map(cell, values)
    for coords, value in zip(sparse["coords"].tolist(), cells):
        table.writerow([*coords, value])


def main():
    parser = argparse.ArgumentParser(description="Read a sparse dataset of an HDF5 file with numpy only.")
    parser.add_argument("file", nargs="?", metavar="FILE")
    parser.add_argument("path", nargs="?", metavar="/path")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print one line per defined element")
    form.add_argument("--npz", metavar="OUT", help="write coords, values, shape and fill to a file for numpy.load (allow_pickle=True for strings and sequences)")
    form.add_argument("--json", action="store_true",
                      help="print one line per dataset with all its chunks; for every sparse dataset if no path is given")
    form.add_argument("--summary", action="store_true", help="print a summary of the defined elements (the default)")
    form.add_argument("--self-test", action="store_true", help="check this reader against known bytes")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    if arguments.file is None or arguments.path is None and not arguments.json:
        parser.error("FILE and /path are needed")
    try:
        if arguments.json:
            return write_json(arguments.file, arguments.path, sys.stdout)
        sparse = read_sparse(arguments.file, arguments.path)
    except FormatError as e:
        sys.exit("read_sparse: %s" % e)
    if arguments.csv:
        write_csv(sparse, sys.stdout)
    elif arguments.npz:
        np.savez(arguments.npz, coords=sparse["coords"], values=sparse["values"],
                 shape=np.array(sparse["shape"], np.int64), fill=sparse["fill"])
    else:
        summary(sparse)


if __name__ == "__main__":
    main()
