package io.skerry.collective.owner;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.format.block.ByteSource;
import io.skerry.format.index.api.ChunkRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;

/**
 * The records of chunks as of the last flush, for a rank that does not ask the index owners. The
 * rank reads the indexes from the file, and keeps what it has read until the next flush. May be
 * called by any thread. Local.
 */
public final class FlushedRecords {
  private final LongFunction<ChunkedDataset> datasets;
  private final ByteSource source;
  private final Map<Long, IndexShare> indexes = new ConcurrentHashMap<>();

  /**
   * Creates records without loaded indexes.
   *
   * @param datasets finds a dataset by its identity
   * @param source reads index blocks of the file
   */
  public FlushedRecords(LongFunction<ChunkedDataset> datasets, ByteSource source) {
    this.datasets = datasets;
    this.source = source;
  }

  /** The record of a chunk, whichever rank is its index owner; empty if it is not stored. */
  public Optional<ChunkRecord> record(ChunkKey key) {
    return index(key.dataset()).record(key.chunk());
  }

  private IndexShare index(long dataset) {
    return indexes.computeIfAbsent(dataset, id -> new IndexShare(datasets.apply(id), source));
  }

  /** The chunks of an area that have a record. */
  public List<ChunkCoordinates> chunks(GridArea area) {
    List<ChunkCoordinates> chunks = new ArrayList<>();
    index(area.dataset()).forEach(Optional.of(area), _ -> true, (chunk, _) -> chunks.add(chunk));
    return chunks;
  }

  /**
   * Forgets a deleted dataset, since another may get its address. No thread may read it meanwhile.
   */
  public void forget(long dataset) {
    indexes.remove(dataset);
  }

  /** Forgets all records after a flush has stored new indexes. No thread may read meanwhile. */
  public void forget() {
    indexes.clear();
  }
}
