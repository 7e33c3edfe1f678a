package io.skerry.cache;

import io.skerry.chunk.MemoryChunk;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The chunks of one open file that this rank holds in memory form: dirty ones, which it owns until
 * the next flush, and clean copies within a byte budget, least recently used out first.
 *
 * <p>Chunks are immutable versions, so a reader keeps what it got while a writer publishes the
 * next. Safe for any number of threads: one lock, held only for map operations, never for decoding,
 * encoding or I/O. Dirty chunks are never evicted here: the collective code bounds them by
 * flushing.
 */
public final class ChunkCache {
  private final long cleanLimit;
  private final TreeMap<ChunkKey, MemoryChunk> dirty = new TreeMap<>();
  private final LinkedHashMap<ChunkKey, MemoryChunk> clean = new LinkedHashMap<>(64, 0.75f, true);
  private long cleanBytes;
  private long dirtyBytes;

  /**
   * @param cleanLimit bytes of clean copies to keep
   */
  public ChunkCache(long cleanLimit) {
    if (cleanLimit < 0) {
      throw new IllegalArgumentException(
          "cleanLimit must not be negative: cleanLimit=" + cleanLimit);
    }
    this.cleanLimit = cleanLimit;
  }

  /** The newest version held, dirty or clean. */
  public synchronized Optional<MemoryChunk> find(ChunkKey key) {
    MemoryChunk found = dirty.get(key);
    return Optional.ofNullable(found != null ? found : clean.get(key));
  }

  /** The dirty version, if this rank owns one. */
  public synchronized Optional<MemoryChunk> dirty(ChunkKey key) {
    return Optional.ofNullable(dirty.get(key));
  }

  /** Publishes a version that the file does not hold yet. */
  public synchronized void putDirty(ChunkKey key, MemoryChunk chunk) {
    forgetClean(key);
    MemoryChunk old = dirty.put(key, chunk);
    dirtyBytes += chunk.bytes() - (old == null ? 0 : old.bytes());
  }

  /** Keeps a copy of what the file holds; ignored while a dirty version exists. */
  public synchronized void putClean(ChunkKey key, MemoryChunk chunk) {
    if (dirty.containsKey(key) || chunk.bytes() > cleanLimit) {
      return;
    }
    forgetClean(key);
    clean.put(key, chunk);
    cleanBytes += chunk.bytes();
    var oldest = clean.entrySet().iterator();
    while (cleanBytes > cleanLimit) {
      cleanBytes -= oldest.next().getValue().bytes();
      oldest.remove();
    }
  }

  /** Declares all dirty versions stored: they become clean copies. */
  public synchronized void allStored() {
    List<Map.Entry<ChunkKey, MemoryChunk>> stored = new ArrayList<>(dirty.entrySet());
    dirty.clear();
    dirtyBytes = 0;
    for (var entry : stored) {
      if (entry.getValue().definedCount() > 0) {
        putClean(entry.getKey(), entry.getValue());
      }
    }
  }

  /** Forgets clean copies of chunks of a dataset, except those in {@code keep}. */
  public synchronized void forgetClean(long dataset, Set<ChunkKey> keep) {
    clean
        .entrySet()
        .removeIf(entry -> {
          boolean stale = entry.getKey().dataset() == dataset && !keep.contains(entry.getKey());
          if (stale) {
            cleanBytes -= entry.getValue().bytes();
          }
          return stale;
        });
  }

  /** Forgets everything of a dataset, dirty versions too: it is to be deleted. */
  public synchronized void forget(long dataset) {
    forgetClean(dataset, Set.of());
    dirty
        .entrySet()
        .removeIf(entry -> {
          boolean gone = entry.getKey().dataset() == dataset;
          if (gone) {
            dirtyBytes -= entry.getValue().bytes();
          }
          return gone;
        });
  }

  /** All dirty versions in key order; a copy. */
  public synchronized TreeMap<ChunkKey, MemoryChunk> dirtyChunks() {
    return new TreeMap<>(dirty);
  }

  /** Bytes of dirty versions. */
  public synchronized long dirtyBytes() {
    return dirtyBytes;
  }

  /** Bytes of clean copies. */
  public synchronized long cleanBytes() {
    return cleanBytes;
  }

  /** Forgets the clean copy of a chunk, if there is one. */
  public synchronized void forgetClean(ChunkKey key) {
    MemoryChunk old = clean.remove(key);
    if (old != null) {
      cleanBytes -= old.bytes();
    }
  }
}
