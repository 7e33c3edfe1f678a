package io.skerry.collective.live;

import io.skerry.format.block.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A set of bytes of an HDF5 file. Not thread-safe; local. */
final class SavedRanges {
  /** The ends of disjoint ranges by their starts. */
  private final TreeMap<Long, Long> ends = new TreeMap<>();

  /** Adds the bytes of a block. */
  void add(Block block) {
    long start = block.address();
    long end = block.end();
    Map.Entry<Long, Long> before = ends.floorEntry(start);
    if (before != null && before.getValue() >= start) {
      start = before.getKey();
      end = Math.max(end, before.getValue());
    }
    Map<Long, Long> within = ends.subMap(start, true, end, true);
    for (long other : within.values()) {
      end = Math.max(end, other);
    }
    within.clear();
    ends.put(start, end);
  }

  /** Returns the parts of a block that are not in this set, in the order of their addresses. */
  Stream<Block> without(Block block) {
    List<Block> parts = new ArrayList<>();
    long at = block.address();
    Map.Entry<Long, Long> before = ends.floorEntry(at);
    if (before != null) {
      at = Math.max(at, before.getValue());
    }
    for (Map.Entry<Long, Long> range : ends.subMap(block.address(), block.end()).entrySet()) {
      if (range.getKey() > at) {
        parts.add(new Block(at, range.getKey() - at));
      }
      at = Math.max(at, range.getValue());
    }
    if (at < block.end()) {
      parts.add(new Block(at, block.end() - at));
    }
    return parts.stream();
  }

  /** Removes all bytes. */
  void clear() {
    ends.clear();
  }
}
