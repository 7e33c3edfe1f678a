package io.skerry.format.alloc;

import io.skerry.format.block.Block;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A set of disjoint free extents of a file, in which adjacent extents are merged. Searchable by
 * address and by length. Not thread-safe; local.
 */
final class FreeExtents {
  private final TreeMap<Long, Long> byAddress;
  private final TreeSet<Block> bySize =
      new TreeSet<>(Comparator.comparingLong(Block::length).thenComparingLong(Block::address));

  private FreeExtents(TreeMap<Long, Long> byAddress) {
    this.byAddress = byAddress;
    this.bySize.addAll(list());
  }

  static FreeExtents none() {
    return new FreeExtents(new TreeMap<>());
  }

  FreeExtents copy() {
    return new FreeExtents(new TreeMap<>(byAddress));
  }

  /** Adds a block. No part of it may be in the set. */
  void add(Block block) {
    long start = block.address();
    long stop = block.end();
    Map.Entry<Long, Long> before = byAddress.lowerEntry(start);
    if (before != null && before.getKey() + before.getValue() == start) {
      remove(before.getKey(), start);
      start = before.getKey();
    }
    Long after = byAddress.get(stop);
    if (after != null) {
      remove(stop, stop + after);
      stop += after;
    }
    put(start, stop);
  }

  private void put(long start, long stop) {
    if (start < stop) {
      byAddress.put(start, stop - start);
      bySize.add(new Block(start, stop - start));
    }
  }

  private void remove(long start, long stop) {
    byAddress.remove(start);
    bySize.remove(new Block(start, stop - start));
  }

  /** Removes the bytes of a block from the set, and returns the removed parts. */
  List<Block> take(Block block) {
    List<Block> shared = new ArrayList<>();
    Map.Entry<Long, Long> found = byAddress.lowerEntry(block.end());
    while (found != null && found.getKey() + found.getValue() > block.address()) {
      long start = found.getKey();
      long stop = start + found.getValue();
      remove(start, stop);
      put(start, block.address());
      put(block.end(), stop);
      long from = Math.max(start, block.address());
      shared.add(new Block(from, Math.min(stop, block.end()) - from));
      found = byAddress.lowerEntry(block.end());
    }
    return shared;
  }

  /**
   * Returns the shortest extent of at least the given number of bytes; if several are equally
   * short, the one at the lowest address. Empty if there is none.
   */
  Optional<Block> smallest(long bytes) {
    return Optional.ofNullable(bySize.ceiling(new Block(0, bytes)));
  }

  /** Returns whether a block is entirely within one extent. */
  boolean contains(Block block) {
    Map.Entry<Long, Long> found = byAddress.floorEntry(block.address());
    return found != null && found.getKey() + found.getValue() >= block.end();
  }

  boolean overlaps(Block block) {
    Map.Entry<Long, Long> before = byAddress.lowerEntry(block.end());
    return before != null && before.getKey() + before.getValue() > block.address();
  }

  void clear() {
    byAddress.clear();
    bySize.clear();
  }

  long bytes() {
    return byAddress.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns all extents in address order. */
  List<Block> list() {
    List<Block> list = new ArrayList<>(byAddress.size());
    byAddress.forEach((address, bytes) -> list.add(new Block(address, bytes)));
    return list;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FreeExtents that && byAddress.equals(that.byAddress);
  }

  @Override
  public int hashCode() {
    return byAddress.hashCode();
  }

  @Override
  public String toString() {
    return list().toString();
  }
}
