package io.skerry.format.btree;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.FileAddress;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A B-tree node in memory that may differ from the node at its address in the file. */
final class EditedNode {
  private final int level;
  private final ArrayList<MemorySegment> records;
  private final ArrayList<Slot> children;
  private long address;
  private boolean changed;

  /**
   * A child, loaded into memory on first use.
   *
   * @param pointer the pointer stored in the file; {@link NodePointer#NONE} once the node is in
   *     memory
   * @param node the node, if it is in memory
   */
  record Slot(NodePointer pointer, Optional<EditedNode> node) {
    static Slot of(EditedNode node) {
      return new Slot(NodePointer.NONE, Optional.of(node));
    }

    /** Returns the pointer that the parent must now store for the child. */
    NodePointer current() {
      return node.map(EditedNode::pointer).orElse(pointer);
    }
  }

  private EditedNode(int level, List<MemorySegment> records, List<Slot> children) {
    this.level = level;
    this.records = new ArrayList<>(records);
    this.children = new ArrayList<>(children);
  }

  /** Creates a node that is not in the file yet. */
  static EditedNode fresh(int level, List<MemorySegment> records, List<Slot> children) {
    EditedNode node = new EditedNode(level, records, children);
    node.address = FileAddress.UNDEFINED;
    node.changed = true;
    return node;
  }

  /**
   * Creates a node in memory from a stored node. Copies the records, since a view would change with
   * the file.
   */
  static EditedNode stored(BTree2Node from, long address) {
    MemorySegment copy = HeapBytes.copyOf(from.records());
    List<MemorySegment> records = new ArrayList<>(from.count());
    for (int i = 0; i < from.count(); i++) {
      records.add(copy.asSlice((long) i * from.recordSize(), from.recordSize()));
    }
    List<Slot> children =
        from.children().stream().map(child -> new Slot(child, Optional.empty())).toList();
    EditedNode node = new EditedNode(from.level(), records, children);
    node.address = address;
    return node;
  }

  int level() {
    return level;
  }

  long address() {
    return address;
  }

  boolean isChanged() {
    return changed;
  }

  void change() {
    changed = true;
  }

  int count() {
    return records.size();
  }

  /**
   * Returns the records in order. A caller that changes the list must then call {@link #change}.
   */
  List<MemorySegment> records() {
    return records;
  }

  /** Returns the children, one more than there are records; empty for a leaf. */
  List<Slot> children() {
    return children;
  }

  /** Returns the number of records in this node and its descendants. */
  long total() {
    long total = records.size();
    for (Slot child : children) {
      total += child.current().total();
    }
    return total;
  }

  NodePointer pointer() {
    return new NodePointer(address, records.size(), total());
  }

  /**
   * Returns the index of the first record that is not less than the key; {@link #count} if all are
   * less.
   */
  int lowerBound(RecordOrder sought) {
    int low = 0;
    int high = records.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sought.compare(records.get(middle)) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  boolean isAt(int index, RecordOrder sought) {
    return index < records.size() && sought.compare(records.get(index)) == 0;
  }

  /** Encodes this node for the given address and marks it as unchanged. */
  BlockImage write(long at, BTree2Parameters parameters, BTree2Shape shape) {
    address = at;
    changed = false;
    ByteWriter out = ByteWriter.withCapacity((int) parameters.nodeSize());
    out.text(level == 0 ? "BTLF" : "BTIN").u8(0).u8(parameters.type().number());
    records.forEach(out::bytes);
    for (Slot child : children) {
      NodePointer pointer = child.current();
      BTree2Shape.Level below = shape.level(level - 1);
      shape.widths().writeAddress(out, pointer.address());
      out.uint(pointer.records(), below.countBytes());
      out.uint(pointer.total(), below.totalBytes());
    }
    out.checksumFrom(0);
    out.zeros((int) parameters.nodeSize() - out.position());
    BlockKind kind = level == 0 ? BlockKind.BTREE2_LEAF : BlockKind.BTREE2_INTERNAL;
    return new BlockImage(at, kind, out.written());
  }
}
