package io.skerry.collective.alloc;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.format.index.api.ChunkRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;

/**
 * The records of chunks that this rank has stored since the last flush. Only this rank has them
 * until the next flush sends them to the index owners. Any thread may read them. Only one thread at
 * a time may change them: a thread that stores chunks for the cache, or a thread that prevents the
 * cache from storing chunks during the change.
 */
public final class UnpublishedChunks {
  /** The records by chunk. An empty record marks a chunk that the next flush deletes. */
  private final ConcurrentSkipListMap<ChunkKey, Optional<ChunkRecord>> records =
      new ConcurrentSkipListMap<>();

  /** Returns whether there are no unpublished chunks. */
  public boolean isEmpty() {
    return records.isEmpty();
  }

  /** Returns whether a chunk is unpublished. */
  public boolean has(ChunkKey key) {
    return records.containsKey(key);
  }

  /**
   * Returns the unpublished record of a chunk if there is one, and otherwise the record that {@code
   * published} returns.
   *
   * @param published the lookup of the record of a chunk that has no unpublished record
   * @return the record; empty if the chunk is not stored, or will be deleted
   */
  public Optional<ChunkRecord> recordOr(
      ChunkKey key, Function<ChunkKey, Optional<ChunkRecord>> published) {
    Optional<ChunkRecord> record = records.get(key);
    return record != null ? record : published.apply(key);
  }

  /** Returns the unpublished chunks of a dataset, including those that the next flush deletes. */
  public List<ChunkCoordinates> chunks(long dataset) {
    return records.tailMap(ChunkKey.of(dataset)).keySet().stream()
        .takeWhile(key -> key.dataset() == dataset)
        .map(ChunkKey::chunk)
        .toList();
  }

  /** Sets the record of a chunk; an empty record marks the chunk for deletion. */
  public void put(ChunkKey key, Optional<ChunkRecord> record) {
    records.put(key, record);
  }

  /** Sets the records of the given chunks. */
  public void putAll(Map<ChunkKey, ChunkRecord> stored) {
    stored.forEach((key, record) -> records.put(key, Optional.of(record)));
  }

  /**
   * Removes a chunk and returns its record; empty if the chunk was not unpublished, or was marked
   * for deletion.
   */
  public Optional<ChunkRecord> remove(ChunkKey key) {
    Optional<ChunkRecord> removed = records.remove(key);
    return removed == null ? Optional.empty() : removed;
  }

  /** Returns a view of all unpublished chunks, in key order. */
  public SortedMap<ChunkKey, Optional<ChunkRecord>> all() {
    return records;
  }

  /** Removes all chunks after a flush has sent their records to the index owners. */
  public void clear() {
    records.clear();
  }
}
