package io.skerry.iod.connector.tile;

import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.iod.object.ObjectId;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The most recently read tiles of a file in decoded form, up to the quiescent limit of its {@link
 * CacheOptions}. A tile is looked up together with the transaction that stored it. A readable
 * transaction never changes, so a tile that was written, erased or removed since then is not found,
 * and versions of the file do not mix. Local, thread-safe.
 */
public final class TileCache {
  /** The assumed memory of a tile in addition to its elements, in bytes. */
  private static final long ENTRY_BYTES = 200;

  /** The tiles, ordered from least to most recently used. */
  private final Map<Key, Cached> tiles = new LinkedHashMap<>(16, 0.75f, true);

  private long most;
  private long bytes;
  private long hits;
  private long misses;
  private long loads;
  private long evictions;
  private long loadedBytes;

  /** The key of a tile: its array, and its number in the array. */
  private record Key(ObjectId array, long number) {}

  /** A tile as one transaction stored it. */
  private record Cached(long transaction, MemoryChunk chunk, long bytes) {}

  /** Creates an empty cache. */
  public TileCache(CacheOptions options) {
    this.most = options.quiescent();
  }

  /** Returns whether a tile of {@code size} bytes fits in the cache. */
  synchronized boolean hasRoom(long size) {
    return size <= most - ENTRY_BYTES;
  }

  /** Returns a tile as a transaction stored it; empty if it is not in the cache. */
  synchronized Optional<MemoryChunk> find(ObjectId array, long number, long transaction) {
    Optional<MemoryChunk> found =
        Optional.ofNullable(tiles.get(new Key(array, number)))
            .filter(cached -> cached.transaction == transaction)
            .map(Cached::chunk);
    if (found.isPresent()) {
      hits++;
    } else {
      misses++;
    }
    return found;
  }

  /** Adds a tile, which replaces the one that another transaction stored, if any. */
  synchronized void put(ObjectId array, long number, long transaction, MemoryChunk chunk) {
    loads++;
    loadedBytes += chunk.bytes();
    long size = chunk.bytes() + ENTRY_BYTES;
    if (size > most) {
      return;
    }
    Cached before = tiles.put(new Key(array, number), new Cached(transaction, chunk, size));
    bytes += size - (before == null ? 0 : before.bytes);
    evict();
  }

  private void evict() {
    Iterator<Cached> oldest = tiles.values().iterator();
    while (bytes > most) {
      bytes -= oldest.next().bytes;
      oldest.remove();
      evictions++;
    }
  }

  /** Changes the limit, and removes what exceeds it. Does not fail. */
  public synchronized void resize(CacheOptions options) {
    most = options.quiescent();
    evict();
  }

  /** Removes all tiles. Does not fail. */
  public synchronized void clear() {
    tiles.clear();
    bytes = 0;
  }

  /** Returns the current counters and size. Does not fail. */
  public synchronized CacheStatistics statistics() {
    return new CacheStatistics(
        hits,
        misses,
        loads,
        0,
        0,
        0,
        evictions,
        0,
        0,
        0,
        loadedBytes,
        0,
        0,
        tiles.size(),
        bytes,
        0,
        most,
        most);
  }
}
