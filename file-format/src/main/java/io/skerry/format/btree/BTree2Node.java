package io.skerry.format.btree;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Checksums;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A node of a version 2 B-tree. Source: HDF5 File Format Specification 3.0, section III.A.2,
 * "Version 2 B-trees".
 *
 * <pre>
 * leaf:     "BTLF" | version 0 u8 | type u8 | records | lookup3 checksum
 * internal: "BTIN" | version 0 u8 | type u8 | n records | n+1 pointers | lookup3 checksum
 * pointer:  address O | records in the node C | [records in the subtree T, unless a leaf]
 * </pre>
 *
 * <p>The remaining bytes of the node are unused. The sizes C and T are those of {@link
 * BTree2Shape}.
 *
 * @param level the level, 0 for a leaf
 * @param recordSize the size of a record in bytes
 * @param records all records, stored contiguously
 * @param children the pointers to the children, one more than there are records; empty for a leaf
 */
record BTree2Node(int level, int recordSize, MemorySegment records, List<NodePointer> children) {
  BTree2Node {
    children = List.copyOf(children);
  }

  int count() {
    return (int) (records.byteSize() / recordSize);
  }

  MemorySegment record(int index) {
    return records.asSlice((long) index * recordSize, recordSize);
  }

  /**
   * Returns the index of the first record that is not less than the key; {@link #count} if all are
   * less.
   */
  int lowerBound(RecordOrder sought) {
    int low = 0;
    int high = count();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sought.compare(record(middle)) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns the part of a node's file space that is in use. */
  static Block used(BTree2Shape shape, int level, NodePointer at) {
    return new Block(at.address(), shape.usedBytes(level, at.records()));
  }

  static BTree2Node read(
      ByteSource source, RecordType type, BTree2Shape shape, int level, NodePointer at) {
    String what = level == 0 ? "B-tree leaf" : "B-tree node at level " + level;
    Block used = used(shape, level, at);
    try {
      MemorySegment bytes = source.read(used.address(), used.length());
      ByteReader in = ByteReader.of(Checksums.verified(bytes, what), what);
      in.expectSignature(level == 0 ? "BTLF" : "BTIN");
      in.expect("version", 0, in.u8());
      in.expect("type of records", type.number(), in.u8());
      MemorySegment records = in.slice((long) at.records() * shape.recordSize());
      List<NodePointer> children = level == 0 ? List.of() : children(in, shape, level, at);
      return new BTree2Node(level, shape.recordSize(), records, children);
    } catch (FormatException e) {
      throw e.inFile(source.name()).atAddress(at.address());
    }
  }

  private static List<NodePointer> children(
      ByteReader in, BTree2Shape shape, int level, NodePointer at) {
    BTree2Shape.Level below = shape.level(level - 1);
    List<NodePointer> children = new ArrayList<>(at.records() + 1);
    long total = at.records();
    for (int i = 0; i <= at.records(); i++) {
      long address = shape.widths().readDefinedAddress(in, "child node");
      long records = in.uint(below.countBytes());
      long subtree = level == 1 ? records : in.uint(below.totalBytes());
      if (records > below.most()) {
        throw in.fault("records of a child", "at most " + below.most(), records);
      }
      NodePointer child = new NodePointer(address, (int) records, subtree);
      children.add(checked(in, shape, level - 1, child));
      total += subtree;
    }
    in.expect("records below", at.total(), total);
    return children;
  }

  /**
   * Returns the given pointer after checking that its counts are possible. Since the total of a
   * node exceeds that of each of its children, pointers that pass this check cannot form a cycle.
   */
  static NodePointer checked(ByteReader in, BTree2Shape shape, int level, NodePointer at) {
    BTree2Shape.Level of = shape.level(level);
    if (at.records() > of.most() || at.records() < 1) {
      throw in.fault("records of a node at level " + level, "1 to " + of.most(), at.records());
    }
    boolean fits = level == 0 ? at.total() == at.records() : at.total() > at.records();
    if (!fits || at.total() > of.mostBelow()) {
      throw in.fault(
          "records at and below a node of " + at.records() + " at level " + level,
          "that many in a leaf, else at most " + of.mostBelow(),
          at.total());
    }
    return at;
  }
}
