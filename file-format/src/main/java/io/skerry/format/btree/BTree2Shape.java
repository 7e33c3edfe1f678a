package io.skerry.format.btree;

import io.skerry.exception.FormatException;
import io.skerry.format.block.Widths;
import java.util.ArrayList;
import java.util.List;

/**
 * What fits into the nodes of one tree. Level 0 are the leaves. O is the size of offsets.
 *
 * <pre>
 * leaf:     (node size - 10) / record size records
 * level l:  (node size - 10 - P) / (record size + P) records, P the pointer to level l-1
 * pointer:  O + C + T bytes; C as many as the greatest number of records of a leaf needs,
 *           T as many as the greatest number of records in the whole subtree needs, 0 for a leaf
 * </pre>
 *
 * <p>Source: format specification, "Version 2 B-trees"; 10 bytes are signature, version, type and
 * checksum.
 *
 * @param widths of the file
 * @param recordSize bytes of a record
 * @param levels what fits, from the leaves up; as many as any file can fill
 */
record BTree2Shape(Widths widths, int recordSize, List<Level> levels) {
  static final int PREFIX = 6;
  static final int CHECKSUM = 4;
  private static final int OVERHEAD = PREFIX + CHECKSUM;

  /** A node counts its records in two bytes. */
  private static final int MOST_RECORDS = 0xffff;

  private static final long MOST_IN_TREE = 1L << 48;

  /**
   * One level.
   *
   * @param most records that fit into a node
   * @param mostBelow records that fit into a node and everything below
   * @param countBytes bytes of a node's record count in a pointer
   * @param totalBytes bytes of a subtree's record count in a pointer to this level
   */
  record Level(int most, long mostBelow, int countBytes, int totalBytes) {}

  BTree2Shape {
    levels = List.copyOf(levels);
  }

  /**
   * The shape of a tree.
   *
   * @throws FormatException if not even one record fits, or more than a node can count
   */
  static BTree2Shape of(long nodeSize, int recordSize, Widths widths) {
    if (recordSize < 1) {
      throw new FormatException("B-tree record size", "at least 1", recordSize);
    }
    long inLeaf = (nodeSize - OVERHEAD) / recordSize;
    if (inLeaf < 1 || inLeaf > MOST_RECORDS) {
      throw new FormatException(
          "records of " + recordSize + " bytes in a B-tree node of " + nodeSize,
          "1 to " + MOST_RECORDS,
          inLeaf);
    }
    List<Level> levels = new ArrayList<>();
    int countBytes = bytesFor(inLeaf);
    Level below = new Level((int) inLeaf, inLeaf, countBytes, 0);
    while (below.most() > 0 && below.mostBelow() < MOST_IN_TREE) {
      levels.add(below);
      long pointer = widths.offset() + countBytes + below.totalBytes();
      long most = Math.max(0, (nodeSize - OVERHEAD - pointer) / (recordSize + pointer));
      long mostBelow = (most + 1) * below.mostBelow() + most;
      below = new Level((int) most, mostBelow, countBytes, bytesFor(mostBelow));
    }
    return new BTree2Shape(widths, recordSize, levels);
  }

  /** Bytes that hold every number up to the limit. */
  static int bytesFor(long limit) {
    return (63 - Long.numberOfLeadingZeros(limit)) / 8 + 1;
  }

  Level level(int level) {
    return levels.get(level);
  }

  /** Bytes of a pointer to a node of a level. */
  int pointerSize(int level) {
    Level of = level(level);
    return widths.offset() + of.countBytes() + of.totalBytes();
  }

  /** Bytes of a node that are in use, checksum included. */
  long usedBytes(int level, int records) {
    long pointers = level == 0 ? 0 : (records + 1L) * pointerSize(level - 1);
    return OVERHEAD + (long) records * recordSize + pointers;
  }
}
