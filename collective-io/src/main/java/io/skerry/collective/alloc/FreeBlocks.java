package io.skerry.collective.alloc;

import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.block.Block;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Blocks of old chunk images and heap collections that this rank knows to be free and no other rank
 * does. With the commit of the next flush they become holes of the file's {@link
 * io.skerry.format.alloc.SpaceAllocator}: never earlier, for a crash must find the old images
 * intact. All ranks are told of them unless they are too many; the others stay this rank's own.
 * Neighbours are joined. Not thread-safe; local.
 */
public final class FreeBlocks {
  private final EnumMap<Use, TreeMap<Long, Long>> blocks;

  /** None. */
  public FreeBlocks() {
    this(new EnumMap<>(Use.class));
  }

  private FreeBlocks(EnumMap<Use, TreeMap<Long, Long>> blocks) {
    this.blocks = blocks;
  }

  /** An independent copy, to try a flush on. */
  public FreeBlocks copy() {
    EnumMap<Use, TreeMap<Long, Long>> copies = new EnumMap<>(Use.class);
    blocks.forEach((use, of) -> copies.put(use, new TreeMap<>(of)));
    return new FreeBlocks(copies);
  }

  /** Gives a block back. */
  public void free(Use use, Block block) {
    TreeMap<Long, Long> of = blocks.computeIfAbsent(use, k -> new TreeMap<>());
    long start = block.address();
    long length = block.length();
    Map.Entry<Long, Long> before = of.lowerEntry(start);
    if (before != null && before.getKey() + before.getValue() == start) {
      start = before.getKey();
      length += before.getValue();
    }
    Long after = of.remove(block.end());
    if (after != null) {
      length += after;
    }
    of.put(start, length);
  }

  /** Removes the lowest blocks of a use. */
  public List<Block> drain(Use use, int limit) {
    TreeMap<Long, Long> of = blocks.getOrDefault(use, new TreeMap<>());
    List<Block> drained = new ArrayList<>();
    while (drained.size() < limit && !of.isEmpty()) {
      Map.Entry<Long, Long> lowest = of.firstEntry();
      drained.add(new Block(lowest.getKey(), lowest.getValue()));
      of.remove(lowest.getKey());
    }
    return drained;
  }

  /** Bytes of a use that only this rank knows to be free. */
  public long bytes(Use use) {
    return blocks.getOrDefault(use, new TreeMap<>()).values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }
}
