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
 * The records of chunks as of the last flush, for reads that do not ask the index owners. The
 * indexes are read from the file and kept until the next flush. Thread-safe. Local.
 */
public final class FlushedRecords {
  private final LongFunction<ChunkedDataset> datasets;
  private final ByteSource source;
  private final Map<Long, IndexShare> indexes = new ConcurrentHashMap<>();

  /**
   * Creates the records of a file. No index is loaded yet.
   *
   * @param datasets the lookup of a dataset by its identity
   * @param source the source that reads index blocks of the file
   */
  public FlushedRecords(LongFunction<ChunkedDataset> datasets, ByteSource source) {
    this.datasets = datasets;
    this.source = source;
  }

  /**
   * Returns the record of a chunk, regardless of which rank is its index owner; empty if the chunk
   * is not stored.
   */
  public Optional<ChunkRecord> record(ChunkKey key) {
    return index(key.dataset()).record(key.chunk());
  }

  private IndexShare index(long dataset) {
    return indexes.computeIfAbsent(dataset, id -> new IndexShare(datasets.apply(id), source));
  }

  /** Returns the chunks in an area that have a record. */
  public List<ChunkCoordinates> chunks(GridArea area) {
    List<ChunkCoordinates> chunks = new ArrayList<>();
    index(area.dataset()).forEach(Optional.of(area), _ -> true, (chunk, _) -> chunks.add(chunk));
    return chunks;
  }

  /**
   * Drops a dataset that is deleted or no longer in use, since another dataset may be created at
   * its address. No thread may read the dataset during this call.
   */
  public void forget(long dataset) {
    indexes.remove(dataset);
  }

  /**
   * Drops all records after a flush has stored new indexes. No thread may read records during this
   * call.
   */
  public void forget() {
    indexes.clear();
  }
}
