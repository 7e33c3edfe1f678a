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
 * Where chunks are stored as of the last flush, for a rank that does not ask their homes: it reads
 * the indexes itself, and keeps what it has read until the next flush. Any thread. Local.
 */
public final class FlushedRecords {
  private final LongFunction<ChunkedDataset> datasets;
  private final ByteSource source;
  private final Map<Long, IndexShare> indexes = new ConcurrentHashMap<>();

  /**
   * @param datasets by address
   * @param source reads index blocks of the file
   */
  public FlushedRecords(LongFunction<ChunkedDataset> datasets, ByteSource source) {
    this.datasets = datasets;
    this.source = source;
  }

  /** The record of a chunk, whose ever it is. */
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

  /** A dataset is deleted, and another may get its address; nobody reads it meanwhile. */
  public void forget(long dataset) {
    indexes.remove(dataset);
  }

  /** A flush has stored new indexes; nobody reads meanwhile. */
  public void forget() {
    indexes.clear();
  }
}
