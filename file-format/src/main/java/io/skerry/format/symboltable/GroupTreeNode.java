package io.skerry.format.symboltable;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Widths;
import java.util.ArrayList;
import java.util.List;

/**
 * A node of the version 1 B-tree of a group. Its children are nodes one level below or, at level 0,
 * symbol table nodes. Source: HDF5 File Format Specification 3.0, section III.A.1, "Version 1
 * B-trees".
 *
 * <pre>
 * off  bytes field
 * 0    4     "TREE"
 * 4    1     type, 0
 * 5    1     level
 * 6    2     number of children n
 * 8    O     left sibling, undefined if none
 * 8+O  O     right sibling, undefined if none
 * 8+2O n x   key L | child O
 * .    L     last key, if n is not 0
 * .    -     unused, up to the size of a node with 2K children (K: order of group B-trees)
 * </pre>
 *
 * <p>A key is the offset of a name in the local heap. Child i contains the names greater than key i
 * and less than or equal to key i+1. The first key of a tree is offset 0, the empty name.
 *
 * @param level the level, 0 for the lowest
 * @param left the address of the left sibling, or undefined
 * @param right the address of the right sibling, or undefined
 * @param keys the keys, one more than there are children; empty if there are no children
 * @param children the addresses of the children
 */
record GroupTreeNode(int level, long left, long right, List<Long> keys, List<Long> children) {
  /** The maximum value of the field that stores the number of children. */
  private static final int MOST_CHILDREN = 0xffff;

  GroupTreeNode {
    keys = List.copyOf(keys);
    children = List.copyOf(children);
  }

  private static int headerSize(Widths widths) {
    return 8 + 2 * widths.offset();
  }

  /** Returns the size of a node in bytes, including unused space. */
  static long size(Widths widths, int order) {
    return headerSize(widths) + 2L * order * (widths.offset() + widths.length()) + widths.length();
  }

  /**
   * Returns the maximum number of children of a node: twice the order, limited by the field that
   * stores the number.
   */
  static int capacity(int order) {
    return Math.min(2 * order, MOST_CHILDREN);
  }

  static GroupTreeNode read(ByteSource source, Widths widths, long address) {
    try {
      ByteReader in =
          ByteReader.of(source.read(address, headerSize(widths)), "B-tree node of a group");
      in.expectSignature("TREE");
      in.expect("type", 0, in.u8());
      int level = in.u8();
      int count = in.u16();
      long left = widths.readAddress(in, "left sibling");
      long right = widths.readAddress(in, "right sibling");
      if (count == 0) {
        return new GroupTreeNode(level, left, right, List.of(), List.of());
      }
      long bytes = (long) count * (widths.offset() + widths.length()) + widths.length();
      ByteReader body =
          ByteReader.of(source.read(address + headerSize(widths), bytes), "B-tree node of a group");
      List<Long> keys = new ArrayList<>(count + 1);
      List<Long> children = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        keys.add(widths.readLength(body, "key"));
        children.add(widths.readDefinedAddress(body, "child"));
      }
      keys.add(widths.readLength(body, "key"));
      return new GroupTreeNode(level, left, right, keys, children);
    } catch (FormatException e) {
      throw e.atAddress(address).inObject("B-tree node of a group").inFile(source.name());
    }
  }

  /** Rejects a node whose level differs from the level that its parent requires. */
  void checkLevel(int expected, long address) {
    if (level != expected) {
      throw new FormatException("level of a B-tree node of a group", expected, level)
          .atAddress(address);
    }
  }

  void encode(ByteWriter out, Widths widths, int order) {
    long end = out.position() + size(widths, order);
    out.text("TREE").u8(0).u8(level).u16(children.size());
    widths.writeAddress(out, left);
    widths.writeAddress(out, right);
    for (int i = 0; i < children.size(); i++) {
      widths.writeLength(out, keys.get(i));
      widths.writeAddress(out, children.get(i));
    }
    if (!keys.isEmpty()) {
      widths.writeLength(out, keys.getLast());
    }
    out.zeros(Math.toIntExact(end - out.position()));
  }
}
