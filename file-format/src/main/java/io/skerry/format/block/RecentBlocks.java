package io.skerry.format.block;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Caches the most recently used blocks of one structure in decoded form, so that a traversal does
 * not read and verify the same block for each of its entries. Keeps a bounded number of bytes and
 * evicts the least recently used blocks first. Thread-safe: if two threads request the same
 * uncached block at the same time, both load it.
 *
 * @param <T> the decoded form of a block
 */
public final class RecentBlocks<T> {
  private final long limit;
  private final LinkedHashMap<Long, Held<T>> held = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  private record Held<T>(T value, long bytes) {}

  /**
   * Creates an empty cache.
   *
   * @param limit the maximum total size in bytes of the cached blocks; the most recently used block
   *     is kept regardless of its size
   */
  public RecentBlocks(long limit) {
    this.limit = limit;
  }

  /** Returns the decoded block. Calls {@code load} if the block is not cached. */
  public T get(Block block, Function<Block, T> load) {
    Optional<T> found = find(block.address());
    if (found.isPresent()) {
      return found.get();
    }
    T value = load.apply(block);
    hold(block.address(), new Held<>(value, block.length()));
    return value;
  }

  private synchronized Optional<T> find(long address) {
    return Optional.ofNullable(held.get(address)).map(Held::value);
  }

  private synchronized void hold(long address, Held<T> fresh) {
    Held<T> old = held.put(address, fresh);
    bytes += fresh.bytes() - (old == null ? 0 : old.bytes());
    Iterator<Map.Entry<Long, Held<T>>> eldest = held.entrySet().iterator();
    while (bytes > limit && held.size() > 1) {
      bytes -= eldest.next().getValue().bytes();
      eldest.remove();
    }
  }
}
