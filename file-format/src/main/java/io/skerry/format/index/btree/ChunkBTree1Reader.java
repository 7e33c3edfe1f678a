package io.skerry.format.index.btree;

import io.skerry.chunk.SectionTable;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.format.layout.Filtering;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads a complete version 1 B-tree of chunks; {@link ChunkBTree1Nodes} documents the byte layout.
 * Since there are no checksums, the reader verifies that each node is reached only once, that
 * levels decrease by one, that every chunk of a leaf is between the two keys that surround the leaf
 * in its parent, that every chunk is after the previous chunk, and that no two chunks have the same
 * address.
 */
final class ChunkBTree1Reader {
  private final ByteSource source;
  private final ChunkBTree1Nodes nodes;
  private final TreeMap<ChunkCoordinates, ChunkRecord> records = new TreeMap<>();
  private final List<Block> body = new ArrayList<>();
  private final Set<Long> entered = new HashSet<>();
  private final Set<Long> addresses = new HashSet<>();

  ChunkBTree1Reader(ByteSource source, ChunkBTree1Nodes nodes) {
    this.source = source;
    this.nodes = nodes;
  }

  ChunkBTree1 read(long root) {
    visit(root, Optional.empty(), Optional.empty(), -1);
    return new ChunkBTree1(nodes, records, root, body);
  }

  /** One child of a node: its first chunk, the size and mask in its key, and its address. */
  private record Child(ChunkCoordinates first, long size, int mask, long address) {}

  /** The part of a node that is in use. */
  private record Node(int level, List<Child> children, Optional<ChunkCoordinates> end) {}

  /**
   * Reads a subtree.
   *
   * @param address the address of its top node
   * @param least the key of the subtree in its parent; empty for the root
   * @param end the key after the subtree; empty for the root
   * @param level the required level; -1 for the root, which may have any level
   */
  private void visit(
      long address, Optional<ChunkCoordinates> least, Optional<ChunkCoordinates> end, int level) {
    if (!entered.add(address)) {
      throw new FormatException("B-tree node", "reached once", "reached again").atAddress(address);
    }
    Node node;
    try {
      node = node(address, level);
    } catch (FormatException e) {
      throw e.atAddress(address);
    }
    if (level >= 0) {
      body.add(new Block(address, nodes.nodeBytes()));
    }
    for (int i = 0; i < node.children().size(); i++) {
      Child child = node.children().get(i);
      Optional<ChunkCoordinates> next =
          i + 1 < node.children().size()
              ? Optional.of(node.children().get(i + 1).first())
              : node.end();
      if (node.level() > 0) {
        visit(child.address(), Optional.of(child.first()), next, node.level() - 1);
      } else {
        add(child, least, end, address);
      }
    }
  }

  private void add(
      Child child, Optional<ChunkCoordinates> least, Optional<ChunkCoordinates> end, long leaf) {
    ChunkCoordinates chunk = child.first();
    boolean below = least.isPresent() && chunk.compareTo(least.get()) < 0;
    boolean beyond = end.isPresent() && chunk.compareTo(end.get()) >= 0;
    boolean unordered = !records.isEmpty() && chunk.compareTo(records.lastKey()) <= 0;
    if (below || beyond || unordered) {
      throw new FormatException(
              "chunk in a B-tree leaf",
              "after "
                  + (records.isEmpty() ? "none" : records.lastKey())
                  + ", from "
                  + least.map(ChunkCoordinates::toString).orElse("the first")
                  + ", before "
                  + end.map(ChunkCoordinates::toString).orElse("the end"),
              chunk)
          .atAddress(leaf);
    }
    if (!addresses.add(child.address())) {
      throw new FormatException(
              "two chunks have the same address", "an address for chunk " + chunk, child.address())
          .atAddress(leaf);
    }
    records.put(chunk, new ChunkRecord(child.address(), sections(child, leaf)));
  }

  private SectionTable sections(Child child, long leaf) {
    if (nodes.filtering() == Filtering.FILTERED) {
      if (child.size() == 0) {
        throw new FormatException("bytes of filtered chunk " + child.first(), "at least 1", 0)
            .atAddress(leaf);
      }
      return SectionTable.filtered(child.size(), child.mask());
    }
    if (child.size() != nodes.layout().chunkBytes()) {
      throw new FormatException(
              "bytes of unfiltered chunk " + child.first(),
              nodes.layout().chunkBytes(),
              child.size())
          .atAddress(leaf);
    }
    return SectionTable.plain(child.size());
  }

  private Node node(long address, int level) {
    int head = nodes.headBytes();
    ByteReader in = ByteReader.of(source.read(address, head), "B-tree node");
    in.expectSignature("TREE");
    in.expect("node type", ChunkBTree1Nodes.TYPE, in.u8());
    int found = in.u8();
    if (level >= 0) {
      in.expect("level", level, found);
    }
    int count = in.u16();
    if (level >= 0 && count == 0) {
      throw in.fault("children of a node below the root", "at least 1", 0);
    }
    int entry = nodes.keyBytes() + nodes.widths().offset();
    long size = (long) count * entry + (count > 0 ? nodes.keyBytes() : 0);
    return children(ByteReader.of(source.read(address + head, size), "B-tree node"), found, count);
  }

  private Node children(ByteReader in, int level, int count) {
    List<Child> children = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long size = in.u32();
      int mask = in.i32();
      ChunkCoordinates first = chunk(in);
      long address = nodes.widths().readDefinedAddress(in, "child address");
      children.add(new Child(first, size, mask, address));
    }
    return new Node(level, children, count > 0 ? end(in) : Optional.empty());
  }

  private ChunkCoordinates chunk(ByteReader in) {
    long[] scaled = new long[nodes.rank()];
    for (int i = 0; i < scaled.length; i++) {
      long offset = in.u63("chunk offset");
      long size = nodes.layout().chunk().extent(i);
      if (offset % size != 0) {
        throw in.fault("chunk offset in dimension " + i, "a multiple of " + size, offset);
      }
      if (offset > Long.MAX_VALUE - size) {
        throw in.fault("chunk offset in dimension " + i, "of elements below 2^63", offset);
      }
      scaled[i] = offset / size;
    }
    in.expect("chunk offset within the element", 0, in.i64());
    return ChunkCoordinates.of(scaled);
  }

  /**
   * Reads the last key. It need only be after all chunks of the node; the key that HDF5 writes
   * there varies. An offset within the element is treated as an additional dimension, so that a key
   * with such an offset compares as greater than the chunk with the same coordinates.
   */
  private Optional<ChunkCoordinates> end(ByteReader in) {
    in.skip(8);
    long[] scaled = new long[nodes.rank() + 1];
    for (int i = 0; i < nodes.rank(); i++) {
      scaled[i] = Math.ceilDiv(in.u63("end of the chunks"), nodes.layout().chunk().extent(i));
    }
    scaled[nodes.rank()] = in.u63("end of the element");
    return Optional.of(
        ChunkCoordinates.of(
            scaled[nodes.rank()] > 0 ? scaled : Arrays.copyOf(scaled, nodes.rank())));
  }
}
