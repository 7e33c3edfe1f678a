package io.skerry.collective.alloc;

import io.skerry.format.Block;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Blocks of old chunk images that this rank freed. A block becomes reusable with the commit after
 * which nothing on disk refers to it, never earlier: a crash must find the old image intact.
 */
public final class FreeBlocks {
  private final TreeMap<Long, Long> usable;
  private final TreeMap<Long, Long> pending;

  /** None. */
  public FreeBlocks() {
    this(new TreeMap<>(), new TreeMap<>());
  }

  private FreeBlocks(TreeMap<Long, Long> usable, TreeMap<Long, Long> pending) {
    this.usable = usable;
    this.pending = pending;
  }

  /** An independent copy, to try a flush on. */
  public FreeBlocks copy() {
    return new FreeBlocks(new TreeMap<>(usable), new TreeMap<>(pending));
  }

  /** Takes room from the smallest usable block that has it; what is left stays usable. */
  public OptionalLong take(long bytes) {
    long best = -1;
    long bestSize = Long.MAX_VALUE;
    for (Map.Entry<Long, Long> block : usable.entrySet()) {
      if (block.getValue() >= bytes && block.getValue() < bestSize) {
        best = block.getKey();
        bestSize = block.getValue();
      }
    }
    if (best < 0) {
      return OptionalLong.empty();
    }
    usable.remove(best);
    if (bestSize > bytes) {
      usable.put(best + bytes, bestSize - bytes);
    }
    return OptionalLong.of(best);
  }

  /** Gives a block back, to be used after the next commit. */
  public void free(Block block) {
    pending.put(block.address(), block.length());
  }

  /** A commit is on disk: what was given back may be used. */
  public void commit() {
    pending.forEach(this::insert);
    pending.clear();
  }

  /** Usable bytes. */
  public long usableBytes() {
    return usable.values().stream().mapToLong(Long::longValue).sum();
  }

  private void insert(long address, long bytes) {
    long start = address;
    long length = bytes;
    Map.Entry<Long, Long> before = usable.lowerEntry(start);
    if (before != null && before.getKey() + before.getValue() == start) {
      start = before.getKey();
      length += before.getValue();
    }
    Long after = usable.remove(address + bytes);
    if (after != null) {
      length += after;
    }
    usable.put(start, length);
  }
}
