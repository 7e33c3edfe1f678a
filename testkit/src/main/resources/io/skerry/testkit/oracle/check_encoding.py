"""check_encoding.py TOOLS FILE DESCRIPTIONS: compares sparse datasets of a file with a second encoder's output.

DESCRIPTIONS has one description per line. The comparison takes from the file only what a writer is free to
choose: the addresses; the form of each selection and its boxes, which must not take more bytes than the boxes
or the pattern of the second encoder; the distribution of the records of a B-tree over its nodes; and the
deflate streams, which may differ from those of zlib.
"""

import json
import os
import sys
import zlib

sys.path[:0] = [sys.argv[1], os.path.dirname(os.path.abspath(__file__))]
import read_sparse
import structured_encoder as encoder


def tree_shape(h5, address):
    """Returns the shape of a B-tree in the form that the encoder requires, see btree()."""
    tree = read_sparse.BTree(h5, address, (12, 13))

    def shape(address, count, level):
        if level == 0:
            return count
        pointer = tree.levels[level][2]
        at = address + 6 + count * tree.size
        children = []
        for _ in range(count + 1):
            child = read_sparse.Cursor(h5.at(at, pointer, "child"), "child")
            children.append(shape(child.number(8), child.number(tree.count_size), level - 1))
            at += pointer
        return children

    return shape(tree.root, tree.in_root, tree.depth)


def streams(data, chunk):
    """Yields the data that was deflated in a chunk, each with its deflate stream."""
    bounds = [0, *chunk.offsets, chunk.size]
    for section, filters in data.pipelines.items():
        stored = data.h5.at(chunk.address + bounds[section], bounds[section + 1] - bounds[section], "section")
        numbers = [number for i, (number, _, _) in enumerate(filters) if not chunk.masks[section] >> i & 1]
        if stored and encoder.DEFLATE in numbers:
            after = numbers[numbers.index(encoder.DEFLATE) + 1 :]
            stream = stored[: len(stored) - 4 * len(after)] if set(after) <= {encoder.FLETCHER32} else b""
            yield zlib.decompress(stream), stream


def compare(h5, header, described):
    """Returns the problems of one dataset, and the number of compared structures."""
    bodies = dict(reversed(header))
    data = read_sparse.Dataset(h5, header, described["path"])
    forms = {}
    for chunk in read_sparse.structured_chunks(data):
        scaled = [s // c for s, c in zip(chunk.start, data.layout.chunk)]
        forms[json.dumps(scaled)] = list(read_sparse.decode_chunk(data, chunk).form)
        if data.pipelines and not data.is_unfiltered_edge(chunk.start):
            described.setdefault("streams", {}).update(streams(data, chunk))
    described["forms"] = forms
    if data.layout.index == 5:
        described["tree"] = tree_shape(h5, data.layout.address)
    plan, blocks = encoder.encode(described)
    problems = []
    for chunk in plan.chunks.values():
        if chunk.selection_size > chunk.least_size:
            sizes = (chunk.name, chunk.selection_size, chunk.least_size)
            problems.append("%s: selection=%d bytes, possible=%d" % sizes)
    if plan.filters and bodies.get(0x19) != encoder.pipeline_message(plan.filters):
        problems.append("pipeline message: %s" % bodies.get(0x19, b"none").hex())
    # Beginning with the layout message, every address leads to another structure, which must exist.
    found, addresses, pending = {}, {}, [("layout", bodies[0x08])]
    while pending:
        name, actual = pending.pop()
        found[name] = actual
        for offset, target in blocks[name].refs():
            address = int.from_bytes(actual[offset : offset + 8], "little")
            if target in blocks and target not in addresses:
                addresses[target] = address
                pending.append((target, h5.at(address, blocks[target].size, target)))
    for name, actual in found.items():
        expected, meaning = blocks[name].render(addresses)
        wrong = [i for i, (a, e, m) in enumerate(zip(actual, expected, meaning)) if m and a != e]
        if wrong or len(actual) != len(expected):
            begin = max(0, (wrong or [min(len(actual), len(expected))])[0] // 16 * 16 - 32)
            problems.append("%s: sizes %d and %d, differs at %s; from %d on:\n  actual   %s\n  expected %s" % (
                name, len(actual), len(expected), wrong[:8] or "its end", begin,
                actual[begin : begin + 160].hex(), expected[begin : begin + 160].hex()))
    if len(found) != len(blocks):
        problems.append("not reached: %s" % sorted(set(blocks) - set(found))[:5])
    return problems, len(found)


def main():
    problems, structures, datasets = [], 0, 0
    h5 = read_sparse.H5(sys.argv[2])
    for line in open(sys.argv[3], encoding="utf-8"):
        described = json.loads(line)
        datasets += 1
        try:
            wrong, count = compare(*read_sparse.locate(h5, described["path"]), described)
            structures += count
            problems += ["%s: %s" % (described["path"], w) for w in wrong]
        except (read_sparse.FormatError, ValueError, zlib.error) as e:
            problems.append("%s: %s: %s" % (described["path"], type(e).__name__, e))
    print("compared %d datasets, %d structures, wrong %d" % (datasets, structures, len(problems)))
    print("\n".join(problems[:20]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
