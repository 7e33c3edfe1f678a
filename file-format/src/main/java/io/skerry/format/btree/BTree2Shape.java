package io.skerry.format.btree;

import io.skerry.exception.FormatException;
import io.skerry.format.block.Widths;
import java.util.ArrayList;
import java.util.List;

/**
 * The capacity of the nodes of one tree, by level. The leaves are level 0. O is the size of
 * offsets.
 *
 * <pre>
 * leaf:     (node size - 10) / record size records
 * level l:  (node size - 10 - P) / (record size + P) records; P: size of a pointer to level l-1
 * pointer:  O + C + T bytes; C bytes can store the capacity of a leaf,
 *           T bytes the capacity of the whole subtree, T = 0 for a leaf
 * </pre>
 *
 * <p>The 10 bytes are signature, version, type and checksum. Source: HDF5 File Format Specification
 * 3.0, section III.A.2, "Version 2 B-trees".
 *
 * @param widths the sizes of offsets and lengths in the file
 * @param recordSize the size of a record in bytes
 * @param levels the capacities from the leaves up, for as many levels as any file can fill
 */
record BTree2Shape(Widths widths, int recordSize, List<Level> levels) {
  static final int PREFIX = 6;
  static final int CHECKSUM = 4;
  private static final int OVERHEAD = PREFIX + CHECKSUM;

  /** Maximum record count that the two-byte field for the root node in the header can store. */
  private static final int MOST_RECORDS = 0xffff;

  private static final long MOST_IN_TREE = 1L << 48;

  /**
   * The capacity of one level.
   *
   * @param most the number of records that fit into a node
   * @param mostBelow the number of records that fit into a node and all nodes below it
   * @param countBytes the size in bytes of the field for the record count of the node, in a pointer
   *     to this level
   * @param totalBytes the size in bytes of the field for the record count of the subtree, in a
   *     pointer to this level; 0 for the leaves
   */
  record Level(int most, long mostBelow, int countBytes, int totalBytes) {}

  BTree2Shape {
    levels = List.copyOf(levels);
  }

  /**
   * Computes the shape of a tree.
   *
   * @throws FormatException if the record size is not positive, if not even one record fits into a
   *     node, or if more records fit than a two-byte count can store
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
      long pointer = (long) widths.offset() + countBytes + below.totalBytes();
      long most = Math.max(0, (nodeSize - OVERHEAD - pointer) / (recordSize + pointer));
      long mostBelow = (most + 1) * below.mostBelow() + most;
      below = new Level((int) most, mostBelow, countBytes, bytesFor(mostBelow));
    }
    return new BTree2Shape(widths, recordSize, levels);
  }

  /** Returns the number of bytes needed to store any number from 0 to the limit. */
  static int bytesFor(long limit) {
    return (63 - Long.numberOfLeadingZeros(limit)) / 8 + 1;
  }

  Level level(int level) {
    return levels.get(level);
  }

  /** Returns the size in bytes of a pointer to a node of a level. */
  int pointerSize(int level) {
    Level of = level(level);
    return widths.offset() + of.countBytes() + of.totalBytes();
  }

  /** Returns the number of bytes in use in a node, including its checksum. */
  long usedBytes(int level, int records) {
    long pointers = level == 0 ? 0 : (records + 1L) * pointerSize(level - 1);
    return OVERHEAD + (long) records * recordSize + pointers;
  }
}
