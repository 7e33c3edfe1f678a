package io.skerry.format.btree;

import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.RecentBlocks;
import io.skerry.format.block.Widths;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * Reads a version 2 B-tree. All records have the same size. The record type defines their order,
 * which is also the order of iteration.
 *
 * <p>Verifies the checksum and the record type of every node that it reads, and checks that the
 * record counts in the node add up to the number of records that the parent stores for it. Rejects
 * a header with more records than the file can hold, so the size of the file bounds a traversal
 * even if the tree is damaged. Recently used nodes are cached. The returned records are views that
 * are valid while the source is open. Local, thread-safe. Source: HDF5 File Format Specification
 * 3.0, section III.A.2, "Version 2 B-trees".
 */
public final class BTree2 implements Iterable<MemorySegment> {
  private static final long KEPT = 1 << 20;

  private final ByteSource source;
  private final BTree2Header header;
  private final BTree2Shape shape;
  private final RecentBlocks<Place, BTree2Node> recent = new RecentBlocks<>(KEPT);

  private BTree2(ByteSource source, BTree2Header header) {
    this.source = source;
    this.header = header;
    this.shape = header.parameters().shape(header.widths());
  }

  /**
   * Opens a tree; reads only its header.
   *
   * @param source the file
   * @param widths the sizes of offsets and lengths in the file
   * @param address the address of the header
   * @throws FormatException if the header is damaged; the exception names the file and the address
   */
  public static BTree2 open(ByteSource source, Widths widths, long address) {
    return new BTree2(source, BTree2Header.read(source, widths, address));
  }

  /**
   * Returns this tree if its records have the given type and size.
   *
   * @param type the record type
   * @param recordSize the size of a record in bytes
   * @throws FormatException if the records of the tree have a different type or size
   */
  public BTree2 require(RecordType type, int recordSize) {
    BTree2Parameters p = header.parameters();
    if (p.type() != type || p.recordSize() != recordSize) {
      throw new FormatException(
              "B-tree of other records",
              type + " of " + recordSize + " bytes",
              p.type() + " of " + p.recordSize() + " bytes")
          .atAddress(header.address())
          .inFile(source.name());
    }
    return this;
  }

  /** Returns the parameters that were set when the tree was created. */
  public BTree2Parameters parameters() {
    return header.parameters();
  }

  /** Returns the number of records, according to the header. */
  public long size() {
    return header.root().total();
  }

  /** Returns the number of levels above the leaves. */
  public int depth() {
    return header.depth();
  }

  BTree2Header header() {
    return header;
  }

  BTree2Node node(int level, NodePointer at) {
    return recent.get(
        new Place(level, at),
        BTree2Node.used(shape, level, at).length(),
        () -> BTree2Node.read(source, header.parameters().type(), shape, level, at));
  }

  /** A reference to a node from the level above. */
  private record Place(int level, NodePointer node) {}

  /**
   * Returns the record with the given key; empty if there is none. Reads at most one node per
   * level.
   *
   * @throws FormatException if a node on the path is damaged
   */
  public Optional<MemorySegment> find(RecordOrder sought) {
    if (!header.root().isDefined()) {
      return Optional.empty();
    }
    NodePointer at = header.root();
    for (int level = header.depth(); ; level--) {
      BTree2Node node = node(level, at);
      int index = node.lowerBound(sought);
      if (index < node.count() && sought.compare(node.record(index)) == 0) {
        return Optional.of(node.record(index));
      }
      if (level == 0) {
        return Optional.empty();
      }
      at = node.children().get(index);
    }
  }

  /**
   * Returns an iterator over all records, in order.
   *
   * @throws FormatException immediately or while iterating, if a node is damaged
   */
  @Override
  public Iterator<MemorySegment> iterator() {
    return from(_ -> 1);
  }

  /** Returns an iterator over the records that are not less than the given key, in order. */
  public Iterator<MemorySegment> from(RecordOrder sought) {
    Walk walk = new Walk();
    if (header.root().isDefined()) {
      walk.descend(header.depth(), header.root(), sought);
    }
    return walk;
  }

  /**
   * Returns the blocks of file space that the header and the nodes occupy, the header first. Reads
   * all internal nodes.
   */
  public List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(header.block());
    if (header.root().isDefined()) {
      addBlocks(blocks, header.depth(), header.root());
    }
    return blocks;
  }

  private void addBlocks(List<Block> blocks, int level, NodePointer at) {
    blocks.add(new Block(at.address(), header.parameters().nodeSize()));
    if (level > 0) {
      for (NodePointer child : node(level, at).children()) {
        addBlocks(blocks, level - 1, child);
      }
    }
  }

  /** A traversal in record order; keeps the path from the root to the next record. */
  private final class Walk implements Iterator<MemorySegment> {
    private final Deque<Step> path = new ArrayDeque<>();

    private static final class Step {
      private final BTree2Node node;
      private int next;

      Step(BTree2Node node, int next) {
        this.node = node;
        this.next = next;
      }
    }

    void descend(int fromLevel, NodePointer from, RecordOrder sought) {
      NodePointer at = from;
      for (int level = fromLevel; level >= 0; level--) {
        BTree2Node node = node(level, at);
        int index = node.lowerBound(sought);
        path.push(new Step(node, index));
        boolean found = index < node.count() && sought.compare(node.record(index)) == 0;
        if (level == 0 || found) {
          break;
        }
        at = node.children().get(index);
      }
      settle();
    }

    private void settle() {
      while (!path.isEmpty() && path.element().next >= path.element().node.count()) {
        path.pop();
      }
    }

    @Override
    public boolean hasNext() {
      return !path.isEmpty();
    }

    @Override
    public MemorySegment next() {
      if (path.isEmpty()) {
        throw new NoSuchElementException("no record left");
      }
      Step step = path.element();
      MemorySegment record = step.node.record(step.next++);
      if (step.node.level() > 0) {
        descend(step.node.level() - 1, step.node.children().get(step.next), _ -> 1);
      } else {
        settle();
      }
      return record;
    }
  }
}
