"""Encodes sparse datasets, by a second implementation that shares no code with Skerry.

A description (a dict, or JSON) lists the content of a dataset; encode() returns every structure that must
then be in the file: the layout message, the blocks of the chunk index, the chunk images. The addresses are
undetermined, so that the structures can be compared with those of a file (check_encoding.py) or placed in a
new file (write_file(), for tests of readers).

    {
      "path": "/a/b",
      "shape": [n, ...], "maxshape": [n or null, ...], "chunk": [n, ...],
      "type": a type, see below,
      "filters": {"0": [[id, flags, [parameters]], ...], ...},      optional flag bit 0: may be skipped
      "unfiltered_edges": true or false,
      "coords": [[...], ...], "values": [...],                       in any order, each element once
      "versions": "V1" or "SMALLEST",                                permitted versions of encoded selections
      "forms": {"[0, 1]": ["blocks", 1, 4], ...} or left out,        forms of the selections of single chunks
      "tree": the shape of a v2 B-tree, see btree()                  left out if there is none or one leaf
      "streams": {bytes: deflated bytes} or left out,                deflate streams that differ from zlib's
    }

Types: {"kind": "fixed", "size": n}, whose values are hex; {"kind": "text"}, of variable length, whose values
are hex or null; {"kind": "sequence", "base": type}, {"kind": "array", "count": n, "base": type}, and {"kind":
"compound", "size": n, "members": [[offset, type], ...]}, whose values are lists.

The encoder makes these choices, in which writers are free: the objects of a heap are numbered in the order
of the values, with the parts of a nested value before the value itself, and up to 65535 objects in a
collection; an empty sequence is null, as in memory; an empty text is an object of no bytes; the boxes of a
selection are whole rows, merged along every dimension from the fastest to the slowest.
"""

import itertools
import json
import math
import struct
import zlib

ALL_ONES = 2**64 - 1
DEFLATE, SHUFFLE, FLETCHER32 = 1, 2, 3
# Headers of structured chunk indexes and all blocks of arrays have version 1; nodes of trees have version 0.
ARRAY_VERSION = TREE_VERSION = 1
NODE_VERSION = 0
PAGE_BITS = 10
# Extensible array: bits of an index, elements in the index block, pointers, elements of the smallest block.
INDEX_BITS, DIRECT, POINTERS, LEAST = 32, 4, 4, 16
NODE_SIZE, SPLIT, MERGE = 2048, 100, 40


def lookup3(data, value=0):
    """Returns the hash that hashlittle() computes (Bob Jenkins, lookup3.c, 2006)."""

    def rotated(x, k):
        return (x << k | x >> (32 - k)) & 0xFFFFFFFF

    state = [(0xDEADBEEF + len(data) + value) & 0xFFFFFFFF] * 3
    while len(data) > 12:
        state = [(s + w) & 0xFFFFFFFF for s, w in zip(state, struct.unpack("<3I", data[:12]))]
        data = data[12:]
        for i, turn in enumerate((4, 6, 8, 16, 19, 4)):
            a, b, c = i % 3, (i + 1) % 3, (i + 2) % 3
            state[a] = (state[a] - state[c] & 0xFFFFFFFF) ^ rotated(state[c], turn)
            state[c] = state[c] + state[b] & 0xFFFFFFFF
    if data:
        state = [(s + w) & 0xFFFFFFFF for s, w in zip(state, struct.unpack("<3I", data.ljust(12, b"\0")))]
        for i, turn in enumerate((14, 11, 25, 16, 4, 14, 24)):
            to, by = (2 + i) % 3, (1 + i) % 3
            state[to] = (state[to] ^ state[by]) - rotated(state[by], turn) & 0xFFFFFFFF
    return state[2]


def summed(data):
    return data + struct.pack("<I", lookup3(data))


def u64(*numbers):
    return struct.pack("<%dQ" % len(numbers), *numbers)


# ---- parts with undetermined addresses ----------------------------------------------------------


class Ref:
    """Eight bytes: the address of a named block, or undefined if there is no such block."""

    size = 8

    def __init__(self, name):
        self.name = name


class Sum:
    """The checksum of all bytes since the beginning, the last checksum or the last gap."""

    size = 4


class Gap:
    """Bytes without meaning: pages that were never written."""

    def __init__(self, size):
        self.size = size


class Block:
    """A contiguous range of the file: bytes, Ref, Sum and Gap in order."""

    def __init__(self, *parts):
        self.parts = parts
        self.size = sum(len(p) if isinstance(p, bytes) else p.size for p in parts)

    def refs(self):
        """Yields (offset, name) of each address."""
        at = 0
        for part in self.parts:
            if isinstance(part, Ref):
                yield at, part.name
            at += len(part) if isinstance(part, bytes) else part.size

    def render(self, addresses):
        """Returns the bytes, and a list that is true for those with a meaning."""
        data, begin, meaning = b"", 0, []
        for part in self.parts:
            if isinstance(part, bytes):
                data += part
            elif isinstance(part, Ref):
                data += u64(addresses.get(part.name, ALL_ONES))
            elif isinstance(part, Sum):
                data += struct.pack("<I", lookup3(data[begin:]))
            else:
                data += bytes(part.size)
            meaning.extend([not isinstance(part, Gap)] * (len(data) - len(meaning)))
            if isinstance(part, (Sum, Gap)):
                begin = len(data)
        return data, meaning


# ---- selections --------------------------------------------------------------------------------


def boxes(coords):
    """Returns disjoint boxes [(first, last)] of a set of elements, in row-major order of their first element."""
    found = [(c, c) for c in sorted(coords)]
    for dimension in reversed(range(len(coords[0]))):
        found = merged_layers(found, dimension)
    return found


def merged_layers(found, dimension):
    """Merges boxes that are adjacent along a dimension and equal in the later dimensions.

    Only whole layers are merged: all boxes that are equal in the earlier dimensions and have the same first
    index in this dimension.
    """
    merged = []
    for _, group in itertools.groupby(found, key=lambda box: box[0][:dimension]):
        previous = None
        for at, layer in itertools.groupby(group, key=lambda box: box[0][dimension]):
            layer = list(layer)
            looks = [(first[dimension + 1 :], last[dimension + 1 :]) for first, last in layer]
            if previous == (at - 1, looks):
                layer = merged[-len(layer) :]
                merged[-len(layer) :] = [
                    (first, last[:dimension] + (at,) + last[dimension + 1 :]) for first, last in layer]
            else:
                merged.extend(layer)
            previous = (at, looks)
    return merged


def pattern(coords):
    """Returns (start, stride, count, block) per dimension of a set of elements; None if it is not regular."""
    axes = [sorted(set(axis)) for axis in zip(*coords)]
    if math.prod(map(len, axes)) != len(coords):
        return None
    found = []
    for axis in axes:
        runs = boxes([(x,) for x in axis])
        size = runs[0][1][0] - runs[0][0][0] + 1
        steps = {b[0][0] - a[0][0] for a, b in zip(runs, runs[1:])} or {1}
        if len(steps) > 1 or any(last[0] - first[0] + 1 != size for first, last in runs):
            return None
        found.append((runs[0][0][0], steps.pop(), len(runs), size))
    return found


def selection(form, coords):
    """Encodes the selection of the elements in a form (kind, version, bytes per number, boxes).

    If the form has no boxes [(first, last)], this function computes them.
    """
    kind, version, width, *given = form
    if kind in ("none", "all"):
        return struct.pack("<IIQ", {"none": 0, "all": 3}[kind], 1, 0)
    rank = len(coords[0])

    def packed(numbers):
        return b"".join(n.to_bytes(width, "little") for n in numbers)

    if kind == "points":
        listed = struct.pack("<I", rank) + packed([len(coords), *itertools.chain(*coords)])
        return struct.pack("<II", 1, version) + (
            struct.pack("<II", 0, len(listed)) if version == 1 else bytes([width])) + listed
    if kind == "regular":
        listed = struct.pack("<I", rank) + packed(itertools.chain(*pattern(coords)))
        return struct.pack("<IIB", 2, version, 1) + (
            struct.pack("<I", len(listed)) if version == 2 else bytes([width])) + listed
    blocks = given[0] if given and given[0] is not None else boxes(coords)
    listed = struct.pack("<I", rank) + packed([len(blocks), *itertools.chain(*itertools.chain(*blocks))])
    head = struct.pack("<II", 0, len(listed)) if version == 1 else bytes([0, width])
    return struct.pack("<II", 2, version) + head + listed


def smallest(coords, whole, versions):
    """Returns the smallest form other than points; versions is "V1", or "SMALLEST" for any version."""
    if whole:
        return ("all", 1, 0)
    largest = max(max(c) for c in coords)
    width = next(w for w in (2, 4, 8) if max(largest, len(coords)) < (1 << 8 * w) - 1)
    blocks = ("blocks", 1, 4) if versions == "V1" else ("blocks", 3, width)
    if versions == "V1" or pattern(coords) is None:
        return blocks
    return min(("regular", 3, width), blocks, key=lambda form: len(selection(form, coords)))


def dataspace(chunk):
    extent = struct.pack("<BBB5x", 1, len(chunk), 1) + u64(*chunk, *chunk)
    return bytes([1, 0, 8]) + struct.pack("<I", len(extent)) + extent


# ---- values ------------------------------------------------------------------------------------


def is_variable(kind):
    if kind["kind"] == "compound":
        return any(is_variable(member) for _, member in kind["members"])
    return kind["kind"] in ("text", "sequence") or kind["kind"] == "array" and is_variable(kind["base"])


def size_of(kind):
    if kind["kind"] == "array":
        return kind["count"] * size_of(kind["base"])
    return 16 if kind["kind"] in ("text", "sequence") else kind["size"]


class Heap:
    """The objects of section 2."""

    def __init__(self):
        self.collections = []

    def put(self, content):
        """Adds an object, and returns its (slot, index)."""
        if not self.collections or len(self.collections[-1]) == 65535:
            self.collections.append([])
        self.collections[-1].append(content)
        return len(self.collections) - 1, len(self.collections[-1])

    def image(self):
        if not self.collections:
            return b""
        slots, members = b"", b""
        for objects in self.collections:
            inside = b"".join(
                struct.pack("<HHIQ", i, 1, 0, len(o)) + o + bytes(-len(o) % 8) for i, o in enumerate(objects, 1))
            slots += u64(12 + 16 * len(self.collections) + len(members), 16 + len(inside))
            members += b"GCOL\1\0\0\0" + u64(16 + len(inside)) + inside
        return b"HGLS\1\0\0\0" + struct.pack("<I", len(self.collections)) + slots + members


def stored(kind, value, heap):
    """Returns the bytes of one value in section 1, or in an object of the heap."""
    if kind["kind"] == "fixed":
        return bytes.fromhex(value)
    if kind["kind"] == "array":
        return b"".join(stored(kind["base"], v, heap) for v in value)
    if kind["kind"] == "compound":
        data = bytearray(kind["size"])
        for (at, member), v in zip(kind["members"], value):
            data[at : at + size_of(member)] = stored(member, v, heap)
        return bytes(data)
    if not value and (value is None or kind["kind"] == "sequence"):
        return bytes(16)
    if kind["kind"] == "text":
        content = bytes.fromhex(value)
        return struct.pack("<IHHQ", len(content), *heap.put(content), 0)
    content = b"".join(stored(kind["base"], v, heap) for v in value)
    return struct.pack("<IHHQ", len(value), *heap.put(content), 0)


# ---- filters -----------------------------------------------------------------------------------


def fletcher32(data):
    words = struct.unpack(">%dH" % ((len(data) + 1) // 2), data + bytes(len(data) % 2))
    first = second = 0
    for word in words:
        first = first + word
        second = second + first
    # HDF5 folds the sums: a non-zero multiple of 65535 becomes 65535, not 0.
    first, second = (x and (x % 65535 or 65535) for x in (first, second))
    return struct.pack("<I", second << 16 | first)


def filtered(data, filters, streams):
    """Returns (bytes, mask) after the filters; an optional deflate that saves no bytes is skipped."""
    mask = 0
    for i, (number, flags, parameters) in enumerate(filters):
        if number == DEFLATE:
            deflated = streams.get(data) or zlib.compress(data, parameters[0])
            if flags & 1 and len(deflated) >= len(data):
                mask |= 1 << i
            else:
                data = deflated
        elif number == SHUFFLE:
            size = parameters[0]
            whole = len(data) // size * size
            data = b"".join(data[k:whole:size] for k in range(size)) + data[whole:]
        elif number == FLETCHER32:
            data += fletcher32(data)
        else:
            raise ValueError("no such filter here: id=%d" % number)
    return data, mask


def pipeline_message(filters):
    """Returns the body of message 0x0019."""
    body = b""
    for section, listed in sorted(filters.items()):
        one = b"".join(struct.pack("<HHH%dI" % len(p), n, flags, len(p), *p) for n, flags, p in listed)
        body += struct.pack("<BBH", int(section), len(listed), len(one)) + one
    return bytes([1, len(filters)]) + body


# ---- chunks ------------------------------------------------------------------------------------


class Chunk:
    """One chunk: its image, and the parts of its index record that do not depend on an address."""

    def __init__(self, plan, scaled, elements):
        start = [s * c for s, c in zip(scaled, plan.chunk)]
        edge = any(s + c > n for s, c, n in zip(start, plan.chunk, plan.shape))
        self.scaled = scaled
        coords = sorted(tuple(x - s for x, s in zip(at, start)) for at in elements)
        whole = not edge and len(coords) == math.prod(plan.chunk)
        form = plan.form(scaled, coords, whole)
        self.selection_size = len(selection(form, coords))
        self.least_size = len(selection(smallest(coords, whole, plan.versions), coords))
        heap = Heap()
        values = [elements[tuple(c + s for c, s in zip(at, start))] for at in coords]
        sections = [dataspace(plan.chunk) + selection(form, coords)]
        sections.append(b"".join(stored(plan.type, value, heap) for value in values))
        if plan.sections == 3:
            sections.append(heap.image())
        checked = range(plan.sections) if plan.sections == 3 else (0,)
        sections = [summed(s) if i in checked and s else s for i, s in enumerate(sections)]
        self.unfiltered = [len(s) for s in sections]
        self.masks = [0] * len(sections)
        if plan.filters and not (edge and plan.unfiltered_edges):
            for i, section in enumerate(sections):
                if section:
                    sections[i], self.masks[i] = filtered(section, plan.filters.get(str(i), []), plan.streams)
        self.image = b"".join(sections)
        self.offsets = [sum(map(len, sections[:i])) for i in range(1, len(sections))]
        self.name = "chunk %s" % (list(scaled),)

    def record(self, plan, between=b""):
        """Returns the parts of the index record; `between` contains the scaled coordinates for a B-tree."""
        tail = u64(*self.offsets)
        if plan.filters:
            tail += u64(*self.unfiltered) + struct.pack("<%dI" % len(self.masks), *self.masks)
        return [Ref(self.name), len(self.image).to_bytes(plan.width, "little") + between + tail]


class Plan:
    """A description, and the properties that it determines."""

    def __init__(self, described):
        self.described = described
        self.shape, self.chunk, self.type = described["shape"], described["chunk"], described["type"]
        self.maximum = [ALL_ONES if n is None else n for n in described["maxshape"]]
        self.filters = {s: f for s, f in described.get("filters", {}).items() if f}
        self.unfiltered_edges = described.get("unfiltered_edges", False)
        self.versions = described.get("versions", "SMALLEST")
        self.streams = described.get("streams", {})
        self.sections = 3 if is_variable(self.type) else 2
        self.element = size_of(self.type)
        chunk_bytes = self.element * math.prod(self.chunk)
        self.width = 8 if self.sections == 3 else min(8, 1 + (int(math.log2(chunk_bytes)) + 8) // 8)
        grouped = {}
        for at, value in zip(described["coords"], described["values"]):
            grouped.setdefault(tuple(x // c for x, c in zip(at, self.chunk)), {})[tuple(at)] = value
        self.chunks = {scaled: Chunk(self, scaled, inside) for scaled, inside in sorted(grouped.items())}
        self.record_size = 8 + self.width + 8 * (self.sections - 1) + (12 * self.sections if self.filters else 0)
        self.client = 3 if self.filters else 2

    def form(self, scaled, coords, whole):
        given = self.described.get("forms", {}).get(json.dumps(scaled))
        return tuple(given) if given else smallest(coords, whole, self.versions)

    def unlimited(self):
        return [i for i, n in enumerate(self.maximum) if n == ALL_ONES]

    def index(self):
        if self.chunk == self.shape == self.maximum:
            return "single"
        return ("fixed array", "extensible array", "v2 B-tree")[min(2, len(self.unlimited()))]

    def grid(self):
        """Returns the number of chunks along each dimension of the maximum extent; None if unlimited."""
        return [None if n == ALL_ONES else -(-n // c) for n, c in zip(self.maximum, self.chunk)]

    def numbered(self):
        """Returns {number in an array index: chunk}: row-major order, the unlimited dimension slowest."""
        order = sorted(range(len(self.chunk)), key=lambda i: i not in self.unlimited())
        numbers = {}
        for scaled, chunk in self.chunks.items():
            number = 0
            for i in order:
                number = number * (self.grid()[i] or 1) + scaled[i]
            numbers[number] = chunk
        return numbers

    def records(self, numbers, first, count):
        """Returns the parts of `count` records from number `first` on; a record without a chunk is unset."""
        unset = b"\xff" * 8 + bytes(self.record_size - 8)
        return itertools.chain(
            *(numbers[n].record(self) if n in numbers else [unset] for n in range(first, first + count)))


# ---- indexes -----------------------------------------------------------------------------------


def prefix(signature, plan):
    return [signature + bytes([ARRAY_VERSION, plan.client]), Ref("header")]


def pages(plan, numbers, first, count, page):
    """Returns (bits of the pages that contain a chunk, parts of all pages)."""
    bits, parts = [], []
    for start in range(first, first + count, page):
        here = min(page, first + count - start)
        bits.append(any(start <= n < start + here for n in numbers))
        parts += [*plan.records(numbers, start, here), Sum()] if bits[-1] else [Gap(here * plan.record_size + 4)]
    return bits, parts


def bitmap(bits):
    padded = bits + [False] * (-len(bits) % 8)
    return bytes(sum(bit << (7 - i) for i, bit in enumerate(padded[k : k + 8])) for k in range(0, len(padded), 8))


def fixed_array(plan):
    numbers, count, page = plan.numbered(), math.prod(plan.grid()), 1 << PAGE_BITS
    head = b"FAHD" + bytes([ARRAY_VERSION, plan.client, plan.record_size, PAGE_BITS]) + u64(count)
    blocks = {"header": Block(head, Ref("data block"), Sum())}
    if count <= page:
        blocks["data block"] = Block(*prefix(b"FADB", plan), *plan.records(numbers, 0, count), Sum())
    else:
        bits, parts = pages(plan, numbers, 0, count, page)
        blocks["data block"] = Block(*prefix(b"FADB", plan), bitmap(bits), Sum(), *parts)
    return blocks


def extensible_array(plan):
    numbers, page = plan.numbered(), 1 << PAGE_BITS
    blocks, index_refs, super_refs = {}, [], []
    made = {"super": [], "data": [], "elements": DIRECT}

    def used(first, count):
        return any(first <= n < first + count for n in numbers)

    def data_block(first, length, offset):
        """Returns a Ref to the block of `length` elements from `first` on; makes it if it has a chunk."""
        name = "data block %d" % first
        if used(first, length):
            head = [*prefix(b"EADB", plan), struct.pack("<I", offset)]
            if length > page:
                blocks[name] = Block(*head, Sum(), *pages(plan, numbers, first, length, page)[1])
            else:
                blocks[name] = Block(*head, *plan.records(numbers, first, length), Sum())
            made["data"].append(blocks[name].size)
            made["elements"] += length
        return Ref(name)

    first, before = DIRECT, 0
    for level in range(1 + INDEX_BITS - int(math.log2(LEAST))):
        count, length = 1 << (level // 2), LEAST << ((level + 1) // 2)
        if level < 2 * int(math.log2(POINTERS)):
            # The HDF5 library adds the blocks of all earlier levels to these offsets; nothing reads them.
            for i in range(count):
                index_refs.append(data_block(first + i * length, length, first - DIRECT + (before + i) * length))
        else:
            super_refs.append(Ref("super block %d" % level))
            if used(first, count * length):
                starts = range(first, first + count * length, length)
                refs = [data_block(start, length, start - DIRECT) for start in starts]
                bits = b""
                if length > page:
                    bits = bitmap(pages(plan, numbers, first, count * length, page)[0])
                    bits = bits.ljust(count * -(-(length // page) // 8), b"\0")
                head = [*prefix(b"EASB", plan), struct.pack("<I", first - DIRECT), bits]
                blocks[super_refs[-1].name] = Block(*head, *refs, Sum())
                made["super"].append(blocks[super_refs[-1].name].size)
        first += count * length
        before += count
    blocks["index block"] = Block(
        *prefix(b"EAIB", plan), *plan.records(numbers, 0, DIRECT), *index_refs, *super_refs, Sum())
    head = b"EAHD" + bytes(
        [ARRAY_VERSION, plan.client, plan.record_size, INDEX_BITS, DIRECT, LEAST, POINTERS, PAGE_BITS])
    counted = u64(
        len(made["super"]), sum(made["super"]), len(made["data"]), sum(made["data"]), max(numbers) + 1,
        made["elements"])
    blocks["header"] = Block(head, counted, Ref("index block"), Sum())
    return blocks


def tree_levels(record_size, depth):
    """Returns per level, leaves first: (most records in a node, most in its subtree, child pointer bytes)."""

    def bytes_for(n):
        return 1 + int(math.log2(n)) // 8

    most = (NODE_SIZE - 10) // record_size
    levels = [(most, most, 0)]
    for level in range(1, depth + 1):
        pointer = 8 + bytes_for(levels[0][0]) + (bytes_for(levels[-1][1]) if level > 1 else 0)
        most = (NODE_SIZE - 10 - pointer) // (record_size + pointer)
        levels.append((most, (most + 1) * levels[-1][1] + most, pointer))
    return levels


def btree(plan):
    """Returns the blocks of a B-tree with the records in row-major order and nodes of the given shape.

    The shape of a leaf is the number of its records. The shape of an inner node is the list of the shapes of
    its children; there is one record between two adjacent children. The description gives the shape, because
    it depends on the order of splits, in which writers are free.
    """
    records = [c.record(plan, u64(*c.scaled)) for c in plan.chunks.values()]
    size, kind = plan.record_size + 8 * len(plan.chunk), 13 if plan.filters else 12
    shape = plan.described.get("tree")
    shape = len(records) if shape is None else shape

    def depth_of(node):
        return 0 if isinstance(node, int) else 1 + depth_of(node[0])

    def total(node):
        return node if isinstance(node, int) else len(node) - 1 + sum(map(total, node))

    def count(node):
        return node if isinstance(node, int) else len(node) - 1

    depth = depth_of(shape)
    levels, blocks, left = tree_levels(size, depth), {}, iter(records)

    def make(node, level, name):
        most = levels[level][0]
        if not 0 < count(node) <= most:
            raise ValueError("a node cannot have so many records: records=%d most=%d" % (count(node), most))
        head = (b"BTIN" if level else b"BTLF") + bytes([NODE_VERSION, kind])
        if level == 0:
            blocks[name] = Block(head, *itertools.chain(*(next(left) for _ in range(node))), Sum())
            return
        inside, pointers = [], []
        for i, child in enumerate(node):
            make(child, level - 1, "%s.%d" % (name, i))
            inside += next(left) if i + 1 < len(node) else []
            counts = count(child).to_bytes(1 + int(math.log2(levels[0][0])) // 8, "little")
            if level > 1:
                counts += total(child).to_bytes(levels[level][2] - 8 - len(counts), "little")
            pointers += [Ref("%s.%d" % (name, i)), counts]
        blocks[name] = Block(head, *inside, *pointers, Sum())

    make(shape, depth, "node")
    head = b"BTHD" + struct.pack("<BBIHHBB", TREE_VERSION, kind, NODE_SIZE, size, depth, SPLIT, MERGE)
    blocks["header"] = Block(head, Ref("node"), struct.pack("<HQ", count(shape), total(shape)), Sum())
    return blocks


# ---- layout ------------------------------------------------------------------------------------


def layout_message(plan):
    """Returns the layout message, version 5, class 4."""
    index = plan.index()
    dimensions = [*plan.chunk, plan.element]
    width = -(-max(dimensions).bit_length() // 8)
    flags = (1 if plan.unfiltered_edges else 0) | (2 if index == "single" and plan.filters else 0)
    parts = struct.pack("<BBBHBBB", 5, 4, 0, plan.sections - 2, flags, len(dimensions), width)
    parts += b"".join(n.to_bytes(width, "little") for n in dimensions)
    parts += bytes([8, plan.sections]) + (b"\1\0" if plan.sections == 2 else b"\3\0\1\2")
    if index == "single":
        (chunk,) = plan.chunks.values()
        ref, record = chunk.record(plan)
        return Block(parts + b"\1" + record, ref)
    parts += {
        "fixed array": bytes([3, PAGE_BITS]),
        "extensible array": bytes([4, INDEX_BITS, DIRECT, POINTERS, LEAST, PAGE_BITS]),
        "v2 B-tree": b"\5" + struct.pack("<IBB", NODE_SIZE, SPLIT, MERGE),
    }[index]
    return Block(parts, Ref("header"))


def encode(described):
    """Returns (plan, {name: Block}) for a description with at least one element.

    "layout" is the layout message; the other blocks are reachable from it.
    """
    plan = Plan(described)
    makers = {"single": lambda plan: {}, "fixed array": fixed_array, "extensible array": extensible_array}
    blocks = makers.get(plan.index(), btree)(plan)
    blocks["layout"] = layout_message(plan)
    blocks.update({chunk.name: Block(chunk.image) for chunk in plan.chunks.values()})
    return plan, blocks


# ---- whole files -------------------------------------------------------------------------------


def datatype_message(kind):
    """Returns the datatype message; a fixed type is an unsigned integer of its size if possible, else opaque."""
    if kind["kind"] == "fixed":
        if kind["size"] in (1, 2, 4, 8):
            return struct.pack("<BBBBIHH", 0x10, 0, 0, 0, kind["size"], 0, 8 * kind["size"])
        return struct.pack("<BBBBI", 0x15, 0, 0, 0, kind["size"])
    if kind["kind"] == "text":
        return struct.pack("<BBBBI", 0x19, 1, 1, 0, 16) + datatype_message({"kind": "fixed", "size": 1})
    if kind["kind"] == "sequence":
        return struct.pack("<BBBBI", 0x19, 0, 0, 0, 16) + datatype_message(kind["base"])
    if kind["kind"] == "array":
        head = struct.pack("<BBBBIBI", 0x3A, 0, 0, 0, size_of(kind), 1, kind["count"])
        return head + datatype_message(kind["base"])
    message = struct.pack("<BHBI", 0x36, len(kind["members"]), 0, kind["size"])
    width = -(-kind["size"].bit_length() // 8)
    for i, (at, member) in enumerate(kind["members"]):
        message += b"m%d\0" % i + at.to_bytes(width, "little") + datatype_message(member)
    return message


def object_header(messages):
    body = b"".join(struct.pack("<BHB", kind, len(m), 0) + m for kind, m in messages)
    return summed(b"OHDR" + bytes([2, 2]) + struct.pack("<I", len(body)) + body)


def write_file(path, descriptions):
    """Writes a file with datasets at paths /NAME, for tests of readers; bytes without meaning are 0xee."""
    data = bytearray(48)
    links = []
    for described in descriptions:
        plan, blocks = encode(described)
        addresses = {}
        for name, block in blocks.items():
            if name != "layout":
                addresses[name] = len(data)
                data += bytes(NODE_SIZE if name.startswith("node") else block.size)
        for name, address in addresses.items():
            rendered, meaning = blocks[name].render(addresses)
            data[address : address + len(rendered)] = bytes(b if m else 0xEE for b, m in zip(rendered, meaning))
        messages = [
            (0x01, bytes([2, len(plan.shape), 1, 1]) + u64(*plan.shape, *plan.maximum)),
            (0x03, datatype_message(plan.type)),
            (0x05, bytes([3, 0x09])),
            (0x08, blocks["layout"].render(addresses)[0]),
        ] + ([(0x19, pipeline_message(plan.filters))] if plan.filters else [])
        name = described["path"].lstrip("/").encode()
        links.append((0x06, bytes([1, 0, len(name)]) + name + u64(len(data))))
        data += object_header(messages)
    root = len(data)
    data += object_header(links)
    data[:48] = summed(b"\x89HDF\r\n\x1a\n" + bytes([3, 8, 8, 0]) + u64(0, ALL_ONES, len(data), root))
    with open(path, "wb") as file:
        file.write(data)
