package io.skerry.collective.alloc;

import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.block.Block;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Free blocks that are recorded only on this rank: those of old chunk images and heap collections,
 * and space that was allocated but not used. The commit of the next flush converts them into holes
 * of the file's {@link io.skerry.format.alloc.SpaceAllocator}. The blocks must not be reused
 * earlier, since the old images must be intact after a crash. The flush announces a limited number
 * of blocks to all ranks; the remaining blocks become holes that only this rank fills. Adjacent
 * blocks are joined. Not thread-safe; local.
 */
public final class FreeBlocks {
  private final EnumMap<Use, TreeMap<Long, Long>> blocks;

  /** Creates an empty set of blocks. */
  public FreeBlocks() {
    this(new EnumMap<>(Use.class));
  }

  private FreeBlocks(EnumMap<Use, TreeMap<Long, Long>> blocks) {
    this.blocks = blocks;
  }

  /**
   * Returns an independent copy. A flush changes the copy, which replaces this object if the flush
   * succeeds.
   */
  public FreeBlocks copy() {
    EnumMap<Use, TreeMap<Long, Long>> copies = new EnumMap<>(Use.class);
    blocks.forEach((use, of) -> copies.put(use, new TreeMap<>(of)));
    return new FreeBlocks(copies);
  }

  /** Adds a block and joins it with adjacent blocks. */
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

  /**
   * Removes the blocks with the lowest addresses among those that are free for the given use, and
   * returns them.
   *
   * @param limit the maximum number of blocks
   */
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

  /** Returns the total size, in bytes, of the blocks that are free for the given use. */
  public long bytes(Use use) {
    return blocks.getOrDefault(use, new TreeMap<>()).values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }
}
