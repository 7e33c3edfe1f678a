#!/usr/bin/env python3
"""Read a sparse dataset of an HDF5 file with numpy and nothing else.

    python3 read_sparse.py FILE /path              what is defined, in a few lines
    python3 read_sparse.py FILE /path --csv        one line per defined element: coordinates, value
    python3 read_sparse.py FILE /path --npz OUT    coords, values, shape, fill for numpy.load
    python3 read_sparse.py --self-test

    from read_sparse import read_sparse, to_dense
    events = read_sparse("lcls.h5", "/entry/events")
    events["coords"]       # n x rank, sorted row-major
    events["values"]       # n
    to_dense(events)       # the whole array, fill value where nothing is defined

A sparse dataset is one with layout message version 5, class 4 ("structured chunk"): per chunk, section 0
is an encoded dataspace selection (which elements are defined) with a checksum, section 1 their values.
No released HDF5 library opens it. This file shares no code with the library that writes such files: it is
also the second opinion of its tests. Every checksum on the way is verified.

Read: superblock 2 and 3, version 2 object headers, compact, soft and external links, integers and IEEE
floats of both byte orders, deflate, shuffle, fletcher32; chunk indexes: single, implicit, fixed array,
extensible array. Ordinary chunked, contiguous and compact datasets of such files: read_dense().
Not read, with an error that says so: superblock 0 and 1, old groups, dense link storage, v2 B-tree
indexes, variable-length types.
"""

import argparse
import csv
import mmap
import os
import struct
import sys
import zlib

import numpy as np

LINK_LIMIT = 16
ALL_ONES = 2**64 - 1


class FormatError(Exception):
    """The file is damaged, or holds something this reader does not know."""


# ---- checksums ---------------------------------------------------------------------------------


def lookup3(data, seed=0):
    """Bob Jenkins' hashlittle(), the checksum of HDF5's metadata."""
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
    """The checksum of filter 3: two sums of big-endian 16-bit words, modulo 65535 without a zero."""
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
    """Checks the four bytes of lookup3 at the end of data and returns what is before them."""
    if len(data) < 4:
        raise FormatError("%s is too short for its checksum: size=%d" % (what, len(data)))
    stored = struct.unpack("<I", data[-4:])[0]
    actual = lookup3(data[:-4])
    if stored != actual:
        raise FormatError("%s: checksum does not match: stored=%08x actual=%08x" % (what, stored, actual))
    return data[:-4]


# ---- reading bytes -----------------------------------------------------------------------------


class Cursor:
    """Little-endian numbers from a piece of bytes, with an error that names the piece when it ends early."""

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
        """count unsigned numbers as an array of u64."""
        raw = np.frombuffer(self.take(size * count), np.uint8).reshape(count, size)
        wide = np.zeros((count, 8), np.uint8)
        wide[:, :size] = raw
        return wide.view("<u8").reshape(count)

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
        try:
            with open(path, "rb") as file:
                self.size = os.fstat(file.fileno()).st_size
                self.bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if self.size else b""
        except OSError as e:
            raise FormatError("cannot open the file: %s" % e) from None
        at = 0
        while self.bytes[at : at + 8] != b"\x89HDF\r\n\x1a\n":
            at = max(512, 2 * at)
            if at + 8 > self.size:
                raise FormatError("not an HDF5 file: file=%s" % path)
        self.base = at
        version = self.at(8, 1, "superblock")
        if version not in (b"\2", b"\3"):
            raise FormatError("superblock version is not 2 or 3: file=%s version=%s" % (path, list(version)))
        self.O, self.L = self.at(9, 2, "superblock")
        if self.O not in (2, 4, 8) or self.L not in (2, 4, 8):
            raise FormatError("superblock: size of offsets=%d size of lengths=%d" % (self.O, self.L))
        block = Cursor(verify(self.at(0, 12 + 4 * self.O + 4, "superblock"), "superblock"), "superblock")
        block.take(12)
        self.base = block.number(self.O)
        block.take(self.O)
        end = block.number(self.O)
        if end > self.size:
            raise FormatError("the file is cut short: end of file=%d size=%d file=%s" % (end, self.size, path))
        self.root = block.number(self.O)

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


# ---- objects and links -------------------------------------------------------------------------


def messages(h5, address):
    """[(type, body)] of the object header at address, continuations included."""
    what = "object header"
    head = h5.at(address, 6, what)
    if head[:4] != b"OHDR" or head[4] != 2:
        raise FormatError("no version 2 object header: address=%d starts=%s" % (address, head.hex()))
    flags = head[5]
    prefix = 6 + (16 if flags & 0x20 else 0) + (4 if flags & 0x10 else 0)
    width = 1 << (flags & 3)
    size = int.from_bytes(h5.at(address + prefix, width, what), "little")
    prefix += width
    body = h5.cursor(address, prefix + size + 4, what, b"OHDR")
    body.take(prefix - 4)
    found, pending, seen = [], [body], {address}
    while pending:
        block = pending.pop(0)
        while block.left() >= (6 if flags & 4 else 4):
            kind, length, message_flags = block.number(1), block.number(2), block.number(1)
            if flags & 4:
                block.take(2)
            message = block.take(length)
            if kind == 0x10:
                more = Cursor(message, "continuation message")
                start, length = more.number(h5.O), more.number(h5.L)
                if start in seen:
                    raise FormatError("continuation blocks form a ring: address=%d" % start)
                seen.add(start)
                pending.append(h5.cursor(start, length, "continuation block", b"OCHK"))
            elif message_flags & 2 and kind in (0x01, 0x03, 0x05, 0x0B):
                raise FormatError("shared messages are not read: message type=%d address=%d" % (kind, address))
            else:
                found.append((kind, message))
    return found


def links(h5, header):
    """{name: (kind, target)} of the compact links in an object header."""
    found = {}
    for kind, message in header:
        if kind == 0x11:
            raise FormatError("old groups (symbol tables) are not read")
        if kind == 0x02:
            info = Cursor(message, "link info message")
            info.expect(info.number(1), (0,), "version")
            flags = info.number(1)
            info.take(8 if flags & 1 else 0)
            if not h5.is_undefined(info.number(h5.O)):
                raise FormatError("dense link storage is not read")
        if kind != 0x06:
            continue
        link = Cursor(message, "link message")
        link.expect(link.number(1), (1,), "version")
        flags = link.number(1)
        link_type = link.number(1) if flags & 8 else 0
        link.take((8 if flags & 4 else 0) + (1 if flags & 16 else 0))
        name = link.take(link.number(1 << (flags & 3))).decode("utf-8", "surrogateescape")
        if link_type == 0:
            found[name] = ("hard", link.number(h5.O))
        elif link_type == 1:
            found[name] = ("soft", link.take(link.number(2)).decode("utf-8", "surrogateescape"))
        elif link_type == 64:
            value = link.take(link.number(2))
            file, path = value[1:].split(b"\0")[:2]
            found[name] = ("external", (os.fsdecode(file), path.decode("utf-8", "surrogateescape")))
        else:
            raise FormatError("unknown kind of link: name=%s type=%d" % (name, link_type))
    return found


def locate(h5, path):
    """(file, object header) of the object at an absolute path, through soft and external links."""
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
        elif target.startswith("/"):
            address, trail = h5.root, ""
        parts.extend(reversed(target.split("/")))
    return h5, messages(h5, address)


# ---- the messages of a dataset -----------------------------------------------------------------


def dataspace(message, length_size):
    """(current, maximum) dimensions; an unlimited maximum is ALL_ONES."""
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
    maximum = space.numbers(length_size, rank) if flags & 1 else list(current)
    unlimited = (1 << (8 * length_size)) - 1
    return current, [ALL_ONES if m == unlimited else m for m in maximum]


def datatype(message):
    kind = Cursor(message, "datatype message")
    first = kind.number(1)
    bits = kind.number(3)
    size = kind.number(4)
    order = ">" if bits & 1 else "<"
    if first & 15 == 0 and size in (1, 2, 4, 8):
        offset, precision = kind.number(2), kind.number(2)
        if offset == 0 and precision == 8 * size:
            return np.dtype("%s%s%d" % (order, "i" if bits & 8 else "u", size))
    ieee = {2: (16, 10, 5, 0, 10, 15), 4: (32, 23, 8, 0, 23, 127), 8: (64, 52, 11, 0, 52, 1023)}
    if first & 15 == 1 and size in ieee and not bits & 64:
        offset, precision = kind.number(2), kind.number(2)
        exponent_at, exponent_size = kind.number(1), kind.number(1)
        mantissa_at, mantissa_size, bias = kind.number(1), kind.number(1), kind.number(4)
        actual = (precision, exponent_at, exponent_size, mantissa_at, mantissa_size, bias)
        if offset == 0 and actual == ieee[size]:
            return np.dtype("%sf%d" % (order, size))
    raise FormatError("only plain integers and IEEE floats are read: class=%d size=%d" % (first & 15, size))


def fill_value(header, dtype):
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
    if not value:
        return dtype.type(0)
    if len(value) != dtype.itemsize:
        raise FormatError("fill value message: size=%d expected=%d" % (len(value), dtype.itemsize))
    return np.frombuffer(value, dtype)[0].astype(dtype.newbyteorder("="))


def filter_list(cursor, count):
    """[(id, flags, parameters)] in the form of a version 2 pipeline."""
    filters = []
    for _ in range(count):
        number = cursor.number(2)
        name = cursor.number(2) if number >= 256 else 0
        flags, parameters = cursor.number(2), cursor.number(2)
        cursor.take(name)
        filters.append((number, flags, cursor.numbers(4, parameters)))
    return filters


def pipelines(header):
    """{section: filters}; an ordinary dataset's pipeline is under section 0."""
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
                found[section] = filter_list(Cursor(pipeline.take(pipeline.number(2)), pipeline.what), filters)
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


class Layout:
    """The data layout message: what kind of dataset, how it is cut, and where its index or data is."""

    def __init__(self, message, h5, rank):
        layout = Cursor(message, "data layout message")
        self.version = layout.expect(layout.number(1), (3, 4, 5), "version")
        self.kind = layout.number(1)
        self.single = None
        self.flags = 0
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
        if 0 in self.chunk:
            raise FormatError("data layout message: a chunk dimension is 0: chunk=%s" % self.chunk)

    def index_address(self, layout, h5):
        sizes = {1: 0, 2: 0, 3: 1, 4: 5, 5: 6}
        layout.take(sizes[layout.expect(self.index, sizes, "chunk index type")])
        self.address = layout.number(h5.O)

    def structured(self, layout, h5, rank):
        layout.expect(self.version, (5,), "version")
        layout.expect(layout.number(1), (0,), "property version")
        layout.expect(layout.number(2), (0, 1), "structured chunk type")
        self.flags = layout.number(1)
        if self.flags & ~3:
            raise FormatError("data layout message: flags=%d expected=0..3" % self.flags)
        self.dimensions(layout, rank)
        layout.expect(layout.number(1), (h5.O,), "offset size")
        layout.expect(layout.number(1), (2,), "sections (variable-length types are not read)")
        layout.expect(layout.number(1), (1,), "metadata sections")
        layout.expect(layout.number(1), (0,), "metadata section")
        self.index = layout.expect(layout.number(1), (1, 3, 4, 5), "chunk index type")
        chunk_bytes = self.type_size
        for extent in self.chunk:
            chunk_bytes *= extent
        self.width = min(8, 1 + (chunk_bytes.bit_length() - 1 + 8) // 8)
        if self.index == 1:
            self.single = self.record(layout, filtered=bool(self.flags & 2))
        self.index_address(layout, h5)

    def record(self, cursor, filtered):
        """(size, offset of section 1, unfiltered sizes, masks) of a chunk, as in an index record."""
        size, offset = cursor.number(self.width), cursor.number(8)
        sizes = cursor.numbers(8, 2) if filtered else None
        masks = cursor.numbers(4, 2) if filtered else [0, 0]
        return size, offset, sizes, masks


# ---- chunk indexes -----------------------------------------------------------------------------
#
# Each yields (number of the chunk in its index, bytes of its record), initialised parts only.


def elements(cursor, first, count, size):
    for i in range(count):
        yield first + i, cursor.take(size)


def bit(bits, i):
    return bits[i // 8] >> (7 - i % 8) & 1


def array_prefix(cursor, h5, client, header):
    cursor.expect(cursor.number(1), (0, 1), "version")
    cursor.expect(cursor.number(1), (client,), "client id")
    cursor.expect(cursor.number(h5.O), (header,), "header address")


def pages(h5, address, first, count, page, size, initialised, what):
    for number, start in enumerate(range(0, count, page)):
        in_page = min(page, count - start)
        if initialised(number):
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
                # Here HDF5 stores block offsets as if i counted all data blocks before.
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
        # Whole bytes per data block are reserved, but the bits of all blocks follow each other closely.
        bitmap, in_block = data.take(count * bitmap_size), length // self.page
        for i, block in enumerate(data.numbers(h5.O, count)):
            start = first + i * length
            yield from self.data_block(
                block, start, length, (start,), lambda page, i=i: bit(bitmap, i * in_block + page))

    def data_block(self, address, first, length, offsets, initialised):
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
        elif initialised is None:
            raise FormatError("a paged data block hangs from the index block: address=%d" % address)
        else:
            yield from pages(
                h5, address + prefix + 4, first, length, self.page, self.size, initialised,
                "extensible array page")


# ---- one dataset -------------------------------------------------------------------------------


class Dataset:
    def __init__(self, path, name):
        self.name = name
        self.h5, header = locate(H5(path), name)
        bodies = dict(reversed(header))
        for kind, what in ((0x01, "dataspace"), (0x03, "datatype"), (0x08, "layout")):
            if kind not in bodies:
                raise FormatError("not a dataset, it has no %s message: path=%s" % (what, name))
        self.shape, self.maximum = dataspace(bodies[0x01], self.h5.L)
        self.dtype = datatype(bodies[0x03])
        self.fill = fill_value(header, self.dtype)
        self.pipelines = pipelines(header)
        self.layout = Layout(bodies[0x08], self.h5, len(self.shape))
        if self.layout.kind in (2, 4) and self.layout.type_size != self.dtype.itemsize:
            raise FormatError(
                "data layout message: type size=%d datatype=%d" % (self.layout.type_size, self.dtype.itemsize))

    def native(self):
        return self.dtype.newbyteorder("=")

    def chunk_grid(self):
        """Position of a chunk from its number: maximum extents count, an unlimited one goes first."""
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
            return [s * c for s, c in zip(scaled, self.layout.chunk)]

        return position

    def records(self, size, plain_client, filtered_client):
        """(start of the chunk, record) of every initialised index element."""
        layout, h5 = self.layout, self.h5
        if h5.is_undefined(layout.address):
            return
        client = filtered_client if self.pipelines else plain_client
        if layout.index == 3:
            index = fixed_array(h5, layout.address, client, size)
        elif layout.index == 4:
            index = ExtensibleArray(h5, layout.address, client, size)
        else:
            raise FormatError("this chunk index is not read: type=%d (5 is a v2 B-tree)" % layout.index)
        position = self.chunk_grid()
        undefined = b"\xff" * h5.O
        for number, record in index:
            if record[: h5.O] != undefined:
                yield position(number), record

    def is_unfiltered_edge(self, start):
        return self.layout.flags & 1 and any(
            s + c > n for s, c, n in zip(start, self.layout.chunk, self.shape))


def unfilter(data, filters, mask, expected, what):
    # Room for what other filters may have added; more is damage, not data.
    limit = min(2 * expected + 1024, 2**62)
    for i in reversed(range(len(filters))):
        number, _, parameters = filters[i]
        if mask >> i & 1:
            continue
        if number == 1:
            try:
                inflater = zlib.decompressobj()
                data = inflater.decompress(data, limit)
            except zlib.error as e:
                raise FormatError("%s: deflate: %s" % (what, e)) from None
            if not inflater.eof:
                raise FormatError("%s: deflate: cut short or larger than %d" % (what, limit))
        elif number == 2:
            size = parameters[0] if parameters else 1
            if size > 1:
                whole = len(data) // size * size
                planes = np.frombuffer(data[:whole], np.uint8).reshape(size, -1)
                data = planes.T.tobytes() + data[whole:]
        elif number == 3:
            stored = struct.unpack("<I", data[-4:])[0] if len(data) >= 4 else None
            data = data[:-4]
            if stored != fletcher32(data):
                raise FormatError("%s: fletcher32 does not match" % what)
        else:
            raise FormatError("this filter is not read: id=%d" % number)
    if len(data) != expected:
        raise FormatError("%s: size after filters=%d expected=%d" % (what, len(data), expected))
    return data


# ---- selections --------------------------------------------------------------------------------


def block_coordinates(starts, ends, shape, limit):
    """Coordinates of all elements of disjoint blocks (ends included), row-major."""
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


def regular_coordinates(parameters, shape, limit):
    axes, total = [], 1
    for (start, stride, count, block), extent in zip(parameters, shape):
        if block == ALL_ONES:
            count, block = 1, extent - start
        overhang = 0
        if count == ALL_ONES:
            # As many as begin inside; the last block may be cut.
            count = max(0, -(-(extent - start) // max(1, stride)))
            overhang = max(0, start + (count - 1) * stride + block - extent)
        last = start + (count - 1) * stride + block - overhang
        if count and block and (stride < 1 or last > extent or count > 1 and stride < block):
            raise FormatError(
                "selection: no such hyperslab in %d elements: start=%d stride=%d count=%d block=%d"
                % (extent, start, stride, count, block))
        total *= max(0, count * block - overhang)
        if total > limit:
            raise FormatError("selection: more elements than values: values=%d" % limit)
        axis = (start + stride * np.arange(count)[:, None] + np.arange(block)).ravel()
        axes.append(axis[axis < extent])
    if not axes:
        return np.zeros((1, 0), np.int64)
    return np.stack([a.ravel() for a in np.meshgrid(*axes, indexing="ij")], axis=1)


def hyperslab(selection, version, shape, limit):
    rank = len(shape)
    if version == 1:
        selection.take(8)
        flags, width = 0, 4
    elif version == 2:
        flags, width = selection.number(1), 8
        selection.take(4)
        selection.expect(flags & 1, (1,), "regular flag")
    else:
        flags = selection.number(1)
        width = selection.expect(selection.number(1), (2, 4, 8), "bytes per number")
    selection.expect(selection.number(4), (rank,), "rank")
    unlimited = (1 << (8 * width)) - 1
    if flags & 1:
        values = [ALL_ONES if v == unlimited else v for v in selection.numbers(width, 4 * rank)]
        return regular_coordinates([values[4 * i : 4 * i + 4] for i in range(rank)], shape, limit)
    blocks = selection.number(4 if version == 1 else width)
    bounds = selection.array(width, 2 * rank * blocks).reshape(blocks, 2, rank)
    return block_coordinates(bounds[:, 0], bounds[:, 1], shape, limit)


def points(selection, version, shape):
    if version == 1:
        selection.take(8)
        width = 4
    else:
        width = selection.expect(selection.number(1), (2, 4, 8), "bytes per number")
    rank = selection.expect(selection.number(4), (len(shape),), "rank")
    count = selection.number(width)
    coords = selection.array(width, count * rank).reshape(count, rank)
    if (coords >= np.array(shape, np.uint64)).any():
        raise FormatError("selection: a point is not inside the chunk: chunk=%s" % shape)
    return coords.astype(np.int64)


def selection_of(data, chunk, limit):
    """Coordinates (n x rank, relative to the chunk, in iteration order) in an encoded dataspace.

    More than limit of them are refused before room is made for them.
    """
    whole = Cursor(data, "section 0")
    whole.expect(whole.number(1), (1,), "object type")
    whole.expect(whole.number(1), (0,), "encoding version")
    length_size = whole.expect(whole.number(1), (2, 4, 8), "size of lengths")
    shape, _ = dataspace(whole.take(whole.number(4)), length_size)
    if shape != list(chunk):
        raise FormatError("section 0: extent=%s expected chunk=%s" % (shape, list(chunk)))
    kind, version = whole.number(4), whole.number(4)
    if kind == 1:
        coords = points(whole, whole.expect(version, (1, 2), "point selection version"), shape)
    elif kind == 2:
        coords = hyperslab(whole, whole.expect(version, (1, 2, 3), "hyperslab version"), shape, limit)
    else:
        whole.expect(kind, (0, 3), "selection type")
        whole.expect(version, (1,), "selection version")
        whole.take(8)
        if kind == 0:
            coords = np.zeros((0, len(shape)), np.int64)
        else:
            coords = regular_coordinates([(0, 1, 1, n) for n in shape], shape, limit)
    if whole.left():
        raise FormatError("section 0: bytes after the selection: %d" % whole.left())
    return coords


# ---- sparse ------------------------------------------------------------------------------------


def structured_chunks(data):
    """(start, address, (size, offset, unfiltered sizes, masks)) of every chunk that exists."""
    layout, h5 = data.layout, data.h5
    if layout.index == 1:
        if not h5.is_undefined(layout.address):
            yield [0] * len(data.shape), layout.address, layout.single
        return
    filtered = bool(data.pipelines)
    size = h5.O + layout.width + 8 + (24 if filtered else 0)
    for start, record in data.records(size, 2, 3):
        cursor = Cursor(record, "index record")
        address = cursor.number(h5.O)
        yield start, address, layout.record(cursor, filtered)


def sparse_chunk(data, start, address, record):
    """(coordinates in the dataset, values) of one chunk."""
    size, offset, sizes, masks = record
    what = "chunk at %s, address %d" % (start, address)
    if offset > size:
        raise FormatError("%s: offset of section 1=%d size=%d" % (what, offset, size))
    image = data.h5.at(address, size, what)
    sections = [image[:offset], image[offset:]]
    if sizes and not data.is_unfiltered_edge(start):
        for i in (0, 1):
            if sections[i] or sizes[i]:
                sections[i] = unfilter(sections[i], data.pipelines.get(i, []), masks[i], sizes[i], what)
    values = len(sections[1]) // data.dtype.itemsize
    coords = selection_of(verify(sections[0], what + ", section 0"), data.layout.chunk, values)
    if len(sections[1]) != len(coords) * data.dtype.itemsize:
        raise FormatError(
            "%s: bytes of values=%d expected=%d x %d" % (what, len(sections[1]), len(coords), data.dtype.itemsize))
    values = np.frombuffer(sections[1], data.dtype)
    coords = coords + np.array(start, np.int64)
    inside = (coords < np.array(data.shape)).all(axis=1)
    return coords[inside], values[inside]


def read_sparse(path, dataset):
    """The defined elements of a sparse dataset.

    Returns a dict: shape, dtype, coords (n x rank int64, sorted row-major), values (n), fill.
    Elements stored beyond the dataset's extent are not part of it and left out.
    """
    data = Dataset(path, dataset)
    if data.layout.kind != 4:
        raise FormatError("not a sparse dataset: path=%s layout class=%d expected=4" % (dataset, data.layout.kind))
    coords = [np.zeros((0, len(data.shape)), np.int64)]
    values = [np.zeros(0, data.dtype)]
    for start, address, record in structured_chunks(data):
        found = sparse_chunk(data, start, address, record)
        coords.append(found[0])
        values.append(found[1])
    coords, values = np.concatenate(coords), np.concatenate(values).astype(data.native())
    order = np.lexsort(coords.T[::-1]) if coords.shape[1] else np.arange(len(coords))
    coords, values = coords[order], values[order]
    if len(coords) > 1 and (coords[1:] == coords[:-1]).all(axis=1).any():
        raise FormatError("an element is defined twice: path=%s" % dataset)
    return {"shape": tuple(data.shape), "dtype": data.native(), "coords": coords, "values": values, "fill": data.fill}


def to_dense(sparse):
    """The whole array of what read_sparse() returned."""
    array = np.full(sparse["shape"], sparse["fill"], sparse["dtype"])
    array[tuple(sparse["coords"].T)] = sparse["values"]
    return array


# ---- ordinary datasets -------------------------------------------------------------------------


def dense_chunks(data):
    """(start, address, stored size, mask) of every chunk that exists."""
    layout, h5 = data.layout, data.h5
    plain = data.dtype.itemsize * int(np.prod(layout.chunk, dtype=object))
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
        for start, record in data.records(h5.O + (width + 4 if filtered else 0), 0, 1):
            cursor = Cursor(record, "index record")
            address = cursor.number(h5.O)
            yield start, address, cursor.number(width) if filtered else plain, cursor.number(4) if filtered else 0


def read_dense(path, dataset):
    """An ordinary dataset (compact, contiguous or chunked) as an array."""
    data = Dataset(path, dataset)
    layout = data.layout
    size = data.dtype.itemsize * int(np.prod(data.shape, dtype=object))
    if layout.kind == 4:
        raise FormatError("a sparse dataset, use read_sparse: path=%s" % dataset)
    if layout.kind in (0, 1):
        if layout.kind == 1 and data.h5.is_undefined(layout.address):
            return np.full(data.shape, data.fill, data.native())
        raw = layout.compact if layout.kind == 0 else data.h5.at(layout.address, size, "contiguous data")
        return np.frombuffer(raw[:size], data.dtype).reshape(data.shape).astype(data.native())
    array = np.full(data.shape, data.fill, data.native())
    plain = data.dtype.itemsize * int(np.prod(layout.chunk, dtype=object))
    for start, address, stored, mask in dense_chunks(data):
        what = "chunk at %s, address %d" % (start, address)
        raw = data.h5.at(address, stored, what)
        if not data.is_unfiltered_edge(start):
            raw = unfilter(raw, data.pipelines.get(0, []), mask, plain, what)
        chunk = np.frombuffer(raw, data.dtype).reshape(layout.chunk)
        inside = tuple(slice(0, max(0, min(c, n - s))) for s, c, n in zip(start, layout.chunk, data.shape))
        target = tuple(slice(s, s + i.stop) for s, i in zip(start, inside))
        array[target] = chunk[inside]
    return array


# ---- command -----------------------------------------------------------------------------------

# The selection images of 1-D chunks of 5 elements as HDF5 2.0.0 encodes them, and the other valid
# versions of the same selections written by hand.
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
    "01000000 02000000 03 01000000 020000",  # no such width
    "02000000 04000000 00000000",  # no such version
    "01000000 01000000 00000000 10000000 01000000 ffffffff 01000000",  # a count beyond the bytes
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
        actual = selection_of(bytes.fromhex(EXTENT + text.replace(" ", "")), [5], 5)
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
        print("values   %s .. %s" % (sparse["values"].min(), sparse["values"].max()))


def main():
    parser = argparse.ArgumentParser(description="Read a sparse dataset of an HDF5 file with numpy only.")
    parser.add_argument("file", nargs="?", metavar="FILE")
    parser.add_argument("path", nargs="?", metavar="/path")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="one line per defined element on standard output")
    form.add_argument("--npz", metavar="OUT", help="coords, values, shape and fill into a file for numpy.load")
    form.add_argument("--summary", action="store_true", help="what is defined, in a few lines (the default)")
    form.add_argument("--self-test", action="store_true", help="check this reader against known bytes")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    if arguments.path is None:
        parser.error("FILE and /path are needed")
    try:
        sparse = read_sparse(arguments.file, arguments.path)
    except FormatError as e:
        sys.exit("read_sparse: %s" % e)
    if arguments.csv:
        out = csv.writer(sys.stdout, lineterminator="\n")
        for coords, value in zip(sparse["coords"].tolist(), sparse["values"].tolist()):
            out.writerow([*coords, value])
    elif arguments.npz:
        np.savez(arguments.npz, coords=sparse["coords"], values=sparse["values"],
                 shape=np.array(sparse["shape"], np.int64), fill=sparse["fill"])
    else:
        summary(sparse)


if __name__ == "__main__":
    main()
