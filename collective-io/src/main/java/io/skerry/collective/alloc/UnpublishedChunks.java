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
 * Where chunks of this rank stand that were stored before the flush; only here is that known, and
 * the next flush tells. Any thread may look; changes are made by one at a time, who keeps the cache
 * from storing.
 */
public final class UnpublishedChunks {
  /** No record: the chunk is to be deleted. */
  private final ConcurrentSkipListMap<ChunkKey, Optional<ChunkRecord>> places =
      new ConcurrentSkipListMap<>();

  /** Returns whether there is none. */
  public boolean isEmpty() {
    return places.isEmpty();
  }

  /** Returns whether a chunk was stored early. */
  public boolean has(ChunkKey key) {
    return places.containsKey(key);
  }

  /**
   * What the next flush will tell of a chunk that was stored early.
   *
   * @param home asked if it was not
   */
  public Optional<ChunkRecord> recordOr(
      ChunkKey key, Function<ChunkKey, Optional<ChunkRecord>> home) {
    Optional<ChunkRecord> early = places.get(key);
    return early != null ? early : home.apply(key);
  }

  /** The chunks of a dataset that were stored early, those that are to be deleted too. */
  public List<ChunkCoordinates> chunks(long dataset) {
    return places.tailMap(ChunkKey.of(dataset)).keySet().stream()
        .takeWhile(key -> key.dataset() == dataset)
        .map(ChunkKey::chunk)
        .toList();
  }

  /** Notes where a chunk is now. */
  public void put(ChunkKey key, Optional<ChunkRecord> place) {
    places.put(key, place);
  }

  /** Notes where chunks are now. */
  public void putAll(Map<ChunkKey, ChunkRecord> records) {
    records.forEach((key, record) -> places.put(key, Optional.of(record)));
  }

  /** Forgets a chunk's early place, which it gives if it has one. */
  public Optional<ChunkRecord> remove(ChunkKey key) {
    Optional<ChunkRecord> removed = places.remove(key);
    return removed == null ? Optional.empty() : removed;
  }

  /** All of them, in key order; a view. */
  public SortedMap<ChunkKey, Optional<ChunkRecord>> all() {
    return places;
  }

  /** The flush has told. */
  public void clear() {
    places.clear();
  }
}
