package io.skerry.format.block;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Caches the most recently used blocks of one structure in decoded form, so that a traversal does
 * not read and verify the same block for each of its entries. Keeps a bounded number of bytes and
 * evicts the least recently used blocks first. Thread-safe: if two threads request the same
 * uncached block at the same time, both load it.
 *
 * <p>A damaged file can refer to one block in several ways, such as from several levels of a tree.
 * The key therefore contains everything that is checked when a block is decoded, so that the block
 * is checked again for each of these references.
 *
 * @param <K> the reference to a block: its address and the properties that the block must have
 * @param <T> the decoded form of a block
 */
public final class RecentBlocks<K, T> {
  private final long limit;
  private final LinkedHashMap<K, Held<T>> held = new LinkedHashMap<>(16, 0.75f, true);
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

  /**
   * Returns the decoded block. Calls {@code load} if the block is not cached.
   *
   * @param key the reference to the block
   * @param length the size of the block in bytes
   */
  public T get(K key, long length, Supplier<T> load) {
    Optional<T> found = find(key);
    if (found.isPresent()) {
      return found.get();
    }
    T value = load.get();
    hold(key, new Held<>(value, length));
    return value;
  }

  /** Removes a block if it is cached. */
  public synchronized void forget(K key) {
    Held<T> old = held.remove(key);
    bytes -= old == null ? 0 : old.bytes();
  }

  private synchronized Optional<T> find(K key) {
    return Optional.ofNullable(held.get(key)).map(Held::value);
  }

  private synchronized void hold(K key, Held<T> fresh) {
    Held<T> old = held.put(key, fresh);
    bytes += fresh.bytes() - (old == null ? 0 : old.bytes());
    Iterator<Map.Entry<K, Held<T>>> eldest = held.entrySet().iterator();
    while (bytes > limit && held.size() > 1) {
      bytes -= eldest.next().getValue().bytes();
      eldest.remove();
    }
  }
}
