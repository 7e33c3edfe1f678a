package io.skerry.format.btree;

import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Changes a version 2 B-tree in memory and then returns the blocks to write. Reads only the nodes
 * that a change touches; nodes that are in the file keep their addresses. A method that reads a
 * damaged node throws a {@link io.skerry.exception.FormatException}.
 *
 * <p>The fill of every node except the root stays between the merge percentage and the split
 * percentage of its capacity, so that the HDF5 library can change the tree later. A node that is
 * too full shares records with a sibling, or is split if the siblings are full too. A node with too
 * few records shares records with a sibling or is merged with it.
 *
 * <p>Records passed in are copied; returned records are views. Not thread-safe; local. The same
 * calls on identical trees, with allocators in the same state, produce identical blocks, so every
 * rank can keep its own copy.
 */
public final class BTree2Editor {
  private final Optional<BTree2> stored;
  private final Widths widths;
  private final BTree2Limits limits;
  private final Rebalance rebalance;
  private final List<Block> dropped = new ArrayList<>();
  private Optional<EditedNode> root;
  private long headerAddress;
  private boolean changed;

  private BTree2Editor(Optional<BTree2> stored, Widths widths, BTree2Parameters parameters) {
    this.stored = stored;
    this.widths = widths;
    this.limits = new BTree2Limits(parameters.shape(widths), parameters);
    this.rebalance = new Rebalance(limits, this::child, this::drop);
    this.root = Optional.empty();
    this.headerAddress = FileAddress.UNDEFINED;
    this.changed = true;
  }

  /**
   * Creates a new tree from sorted records.
   *
   * @param parameters the parameters of the tree
   * @param widths the sizes of offsets and lengths in the file
   * @param sorted the records in key order; may be empty
   * @throws io.skerry.exception.FormatException if the parameters permit no changes to a tree
   * @throws IllegalArgumentException if the size of a record differs from that in the parameters
   */
  public static BTree2Editor build(
      BTree2Parameters parameters, Widths widths, List<MemorySegment> sorted) {
    BTree2Editor editor = new BTree2Editor(Optional.empty(), widths, parameters);
    List<MemorySegment> copies = new ArrayList<>(sorted.size());
    sorted.forEach(record -> copies.add(editor.copy(record)));
    editor.root = BTree2Builder.build(editor.limits, copies);
    return editor;
  }

  /**
   * Opens a stored tree for changes.
   *
   * @throws io.skerry.exception.FormatException if the tree's parameters permit no changes, or its
   *     root is damaged
   */
  public static BTree2Editor open(BTree2 tree) {
    BTree2Header header = tree.header();
    BTree2Editor editor = new BTree2Editor(Optional.of(tree), header.widths(), header.parameters());
    editor.headerAddress = header.address();
    editor.changed = false;
    if (header.root().isDefined()) {
      editor.root = Optional.of(editor.load(header.depth(), header.root()));
    }
    return editor;
  }

  /**
   * Returns the address of the header; undefined before the first {@link #commit} of a new tree and
   * after {@link #release}.
   */
  public long address() {
    return headerAddress;
  }

  /** Returns the number of records. */
  public long size() {
    return root.map(EditedNode::total).orElse(0L);
  }

  /** Returns the number of levels above the leaves. */
  public int depth() {
    return root.map(EditedNode::level).orElse(0);
  }

  /** Returns the record with the given key; empty if there is none. */
  public Optional<MemorySegment> find(RecordOrder sought) {
    Optional<EditedNode> at = root;
    while (at.isPresent()) {
      EditedNode node = at.get();
      int index = node.lowerBound(sought);
      if (node.isAt(index, sought)) {
        return Optional.of(node.records().get(index));
      }
      at = node.level() == 0 ? Optional.empty() : Optional.of(child(node, index));
    }
    return Optional.empty();
  }

  /**
   * Adds a record.
   *
   * @param record the record to add
   * @param place the key of the record: compares records of the tree with the record to add
   * @throws IllegalArgumentException if the tree already has a record with an equal key, or the
   *     record has the wrong size
   */
  public void insert(MemorySegment record, RecordOrder place) {
    MemorySegment copy = copy(record);
    if (root.isEmpty()) {
      root = Optional.of(EditedNode.fresh(0, List.of(copy), List.of()));
      changed = true;
      return;
    }
    EditedNode top = root.get();
    insert(top, copy, place);
    changed = true;
    if (top.count() > limits.most(top.level())) {
      limits.requireLevel(top.level() + 1);
      EditedNode above =
          EditedNode.fresh(top.level() + 1, List.of(), List.of(EditedNode.Slot.of(top)));
      rebalance.split(above, 0);
      root = Optional.of(above);
    }
  }

  private void insert(EditedNode node, MemorySegment record, RecordOrder place) {
    int index = node.lowerBound(place);
    if (node.isAt(index, place)) {
      throw new IllegalArgumentException("record is in the B-tree already: type=" + type());
    }
    if (node.level() == 0) {
      node.records().add(index, record);
    } else {
      insert(child(node, index), record, place);
      rebalance.afterInsert(node, index);
    }
    node.change();
  }

  /**
   * Replaces the record that has an equal key.
   *
   * @param record the new record
   * @param place the key of the record: compares records of the tree with the new record
   * @throws IllegalArgumentException if there is no such record, or the new record has the wrong
   *     size
   */
  public void replace(MemorySegment record, RecordOrder place) {
    MemorySegment copy = copy(record);
    Optional<EditedNode> at = root;
    while (at.isPresent()) {
      EditedNode node = at.get();
      int index = node.lowerBound(place);
      if (node.isAt(index, place)) {
        node.records().set(index, copy);
        node.change();
        changed = true;
        return;
      }
      at = node.level() == 0 ? Optional.empty() : Optional.of(child(node, index));
    }
    throw new IllegalArgumentException("record to replace is not in the B-tree: type=" + type());
  }

  /** Removes the record with the given key and returns it; empty if there is none. */
  public Optional<MemorySegment> delete(RecordOrder sought) {
    if (root.isEmpty()) {
      return Optional.empty();
    }
    EditedNode top = root.get();
    Optional<MemorySegment> deleted = delete(top, sought);
    if (deleted.isPresent()) {
      changed = true;
      if (top.count() == 0) {
        root = top.level() == 0 ? Optional.empty() : Optional.of(child(top, 0));
        drop(top);
      }
    }
    return deleted;
  }

  private Optional<MemorySegment> delete(EditedNode node, RecordOrder sought) {
    int index = node.lowerBound(sought);
    boolean here = node.isAt(index, sought);
    if (node.level() == 0) {
      if (!here) {
        return Optional.empty();
      }
      node.change();
      return Optional.of(node.records().remove(index));
    }
    Optional<MemorySegment> deleted;
    if (here) {
      MemorySegment before = deleteLast(child(node, index));
      deleted = Optional.of(node.records().set(index, before));
    } else {
      deleted = delete(child(node, index), sought);
    }
    if (deleted.isPresent()) {
      node.change();
      rebalance.afterDelete(node, index);
    }
    return deleted;
  }

  private MemorySegment deleteLast(EditedNode node) {
    node.change();
    if (node.level() == 0) {
      return node.records().removeLast();
    }
    MemorySegment last = deleteLast(child(node, node.count()));
    rebalance.afterDelete(node, node.count());
    return last;
  }

  /**
   * Allocates space for new nodes and for the header of a new tree, frees the space of dropped
   * nodes, and returns the blocks to write; the list is empty if nothing changed. More changes may
   * follow.
   */
  public List<BlockImage> commit(SpaceAllocator allocator) {
    List<BlockImage> images = new ArrayList<>();
    if (!changed) {
      return images;
    }
    if (!FileAddress.isDefined(headerAddress)) {
      headerAddress = allocator.allocate(BTree2Header.size(widths));
    }
    root.ifPresent(top -> write(top, allocator, images));
    NodePointer top = root.map(EditedNode::pointer).orElse(NodePointer.NONE);
    images.add(new BTree2Header(headerAddress, widths, limits.parameters(), depth(), top).image());
    dropped.forEach(allocator::freeStored);
    dropped.clear();
    changed = false;
    return images;
  }

  /**
   * Frees all file space of a tree without records, including its header.
   *
   * @throws IllegalStateException if the tree has records
   */
  public void release(SpaceAllocator allocator) {
    if (root.isPresent()) {
      throw new IllegalStateException("B-tree to release has records: records=" + size());
    }
    dropped.forEach(allocator::freeStored);
    dropped.clear();
    if (FileAddress.isDefined(headerAddress)) {
      allocator.freeStored(new Block(headerAddress, BTree2Header.size(widths)));
      headerAddress = FileAddress.UNDEFINED;
    }
    changed = true;
  }

  private void write(EditedNode node, SpaceAllocator allocator, List<BlockImage> images) {
    for (EditedNode.Slot slot : node.children()) {
      slot.node().ifPresent(child -> write(child, allocator, images));
    }
    if (node.isChanged()) {
      long at =
          FileAddress.isDefined(node.address())
              ? node.address()
              : allocator.allocate(limits.parameters().nodeSize());
      images.add(node.write(at, limits.parameters(), limits.shape()));
    }
  }

  private void drop(EditedNode node) {
    if (FileAddress.isDefined(node.address())) {
      dropped.add(new Block(node.address(), limits.parameters().nodeSize()));
    }
  }

  private EditedNode child(EditedNode node, int index) {
    EditedNode.Slot slot = node.children().get(index);
    if (slot.node().isPresent()) {
      return slot.node().get();
    }
    EditedNode child = load(node.level() - 1, slot.pointer());
    node.children().set(index, EditedNode.Slot.of(child));
    return child;
  }

  private EditedNode load(int level, NodePointer at) {
    return EditedNode.stored(stored.orElseThrow().node(level, at), at.address());
  }

  private MemorySegment copy(MemorySegment record) {
    int size = limits.parameters().recordSize();
    if (record.byteSize() != size) {
      throw new IllegalArgumentException(
          "size of a B-tree record: expected=" + size + " actual=" + record.byteSize());
    }
    return MemorySegment.ofArray(new byte[size]).copyFrom(record);
  }

  private RecordType type() {
    return limits.parameters().type();
  }
}
