package io.skerry.format.block;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The blocks of one structure that were decoded last, so that a walk does not read and verify the
 * same block for each of its entries. Holds a bounded number of bytes; the least recently used go
 * first. Any thread may call; two that miss at once both load.
 *
 * @param <T> what a block decodes to
 */
public final class RecentBlocks<T> {
  private final long limit;
  private final LinkedHashMap<Long, Held<T>> held = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  private record Held<T>(T value, long bytes) {}

  /**
   * No block yet.
   *
   * @param limit most bytes of blocks to hold; the block used last is held whatever its size
   */
  public RecentBlocks(long limit) {
    this.limit = limit;
  }

  /** The block, decoded by {@code load} unless it is held. */
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
