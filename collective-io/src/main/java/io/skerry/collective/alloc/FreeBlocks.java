package io.skerry.collective.alloc;

import io.skerry.format.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Blocks of old chunk images that this rank knows to be free and no other rank does. The next flush
 * tells all ranks of them, and with its commit they become holes of the file's {@link
 * io.skerry.format.alloc.SpaceAllocator}: never earlier, for a crash must find the old images
 * intact. Neighbours are joined. Not thread-safe; local.
 */
public final class FreeBlocks {
  private final TreeMap<Long, Long> blocks;

  /** None. */
  public FreeBlocks() {
    this(new TreeMap<>());
  }

  private FreeBlocks(TreeMap<Long, Long> blocks) {
    this.blocks = blocks;
  }

  /** An independent copy, to try a flush on. */
  public FreeBlocks copy() {
    return new FreeBlocks(new TreeMap<>(blocks));
  }

  /** Gives a block back. */
  public void free(Block block) {
    long start = block.address();
    long length = block.length();
    Map.Entry<Long, Long> before = blocks.lowerEntry(start);
    if (before != null && before.getKey() + before.getValue() == start) {
      start = before.getKey();
      length += before.getValue();
    }
    Long after = blocks.remove(block.end());
    if (after != null) {
      length += after;
    }
    blocks.put(start, length);
  }

  /** Removes the lowest blocks, to tell the other ranks of them. */
  public List<Block> drain(int limit) {
    List<Block> drained = new ArrayList<>();
    while (drained.size() < limit && !blocks.isEmpty()) {
      Map.Entry<Long, Long> lowest = blocks.firstEntry();
      drained.add(new Block(lowest.getKey(), lowest.getValue()));
      blocks.remove(lowest.getKey());
    }
    return drained;
  }

  /** Bytes that only this rank knows to be free. */
  public long bytes() {
    return blocks.values().stream().mapToLong(Long::longValue).sum();
  }
}
