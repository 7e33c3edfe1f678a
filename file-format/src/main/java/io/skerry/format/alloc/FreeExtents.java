package io.skerry.format.alloc;

import io.skerry.format.block.Block;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A set of disjoint free extents of a file, in which adjacent extents are merged. Searchable by
 * address and by length. A copy takes constant time and memory, so a caller can keep the earlier
 * state. Not thread-safe; local.
 */
final class FreeExtents {
  private static final Comparator<Block> BY_SIZE =
      Comparator.comparingLong(Block::length).thenComparingLong(Block::address);

  private BlockSet byAddress;
  private BlockSet bySize;

  private FreeExtents(BlockSet byAddress, BlockSet bySize) {
    this.byAddress = byAddress;
    this.bySize = bySize;
  }

  static FreeExtents none() {
    return new FreeExtents(BlockSet.none(Comparator.naturalOrder()), BlockSet.none(BY_SIZE));
  }

  FreeExtents copy() {
    return new FreeExtents(byAddress, bySize);
  }

  /** Adds a block. No part of it may be in the set. */
  void add(Block block) {
    Block merged = block;
    Optional<Block> before = lastBefore(block.address());
    if (before.isPresent() && before.get().end() == block.address()) {
      remove(before.get());
      merged = joined(before.get(), merged);
    }
    Optional<Block> after = byAddress.first(extent -> extent.address() >= block.end());
    if (after.isPresent() && after.get().address() == block.end()) {
      remove(after.get());
      merged = joined(merged, after.get());
    }
    put(merged);
  }

  private static Block joined(Block first, Block second) {
    return new Block(first.address(), first.length() + second.length());
  }

  /** Returns the last extent that begins before an address. */
  private Optional<Block> lastBefore(long address) {
    return byAddress.last(extent -> extent.address() < address);
  }

  private void put(Block extent) {
    byAddress = byAddress.with(extent);
    bySize = bySize.with(extent);
  }

  private void remove(Block extent) {
    byAddress = byAddress.without(extent);
    bySize = bySize.without(extent);
  }

  /** Removes the bytes of a block from the set, and returns the removed parts. */
  List<Block> take(Block block) {
    List<Block> shared = new ArrayList<>();
    Optional<Block> found = lastBefore(block.end());
    while (found.isPresent() && found.get().end() > block.address()) {
      Block extent = found.get();
      remove(extent);
      if (extent.address() < block.address()) {
        put(new Block(extent.address(), block.address() - extent.address()));
      }
      if (extent.end() > block.end()) {
        put(new Block(block.end(), extent.end() - block.end()));
      }
      long from = Math.max(extent.address(), block.address());
      shared.add(new Block(from, Math.min(extent.end(), block.end()) - from));
      found = lastBefore(block.end());
    }
    return shared;
  }

  /**
   * Returns the shortest extent of at least the given number of bytes; if several are equally
   * short, the one at the lowest address. Empty if there is none.
   */
  Optional<Block> smallest(long bytes) {
    return bySize.first(extent -> extent.length() >= bytes);
  }

  /** Returns whether a block is entirely within one extent. */
  boolean contains(Block block) {
    Optional<Block> found = byAddress.last(extent -> extent.address() <= block.address());
    return found.isPresent() && found.get().end() >= block.end();
  }

  boolean overlaps(Block block) {
    Optional<Block> found = lastBefore(block.end());
    return found.isPresent() && found.get().end() > block.address();
  }

  void clear() {
    byAddress = BlockSet.none(Comparator.naturalOrder());
    bySize = BlockSet.none(BY_SIZE);
  }

  long bytes() {
    return byAddress.bytes();
  }

  /** Returns all extents in address order. */
  List<Block> list() {
    return byAddress.list();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FreeExtents that && list().equals(that.list());
  }

  @Override
  public int hashCode() {
    return list().hashCode();
  }

  @Override
  public String toString() {
    return list().toString();
  }
}
