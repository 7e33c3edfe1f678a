package io.skerry.collective.core;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.core.ChunkCache;
import io.skerry.cache.core.KeyedChunks;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.collective.alloc.FreeBlocks;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.owner.ChunkDirectory;
import io.skerry.collective.owner.FlushedRecords;
import io.skerry.collective.step.LocalStatus;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.block.Block;
import io.skerry.format.index.api.ChunkRecord;
import java.util.Optional;
import java.util.Set;

/**
 * The policy of a file that several ranks have open. All ranks allocate space together, so the
 * cache does not store chunks between flushes. The cache loads chunks only for independent reads,
 * in the state of the last flush.
 */
public record MultiRankPolicy(ChunkDirectory directory, FlushedRecords flushed)
    implements RankPolicy {
  @Override
  public Quiescence quiescence(ChunkCache cache) {
    return new MultiRankQuiescence(cache);
  }

  @Override
  public Optional<ChunkRecord> record(ChunkKey key) {
    return flushed.record(key);
  }

  /**
   * Returns the format as of the last flush, since a later change to the extent may have changed
   * the format of a chunk at the edge.
   */
  @Override
  public ChunkFormat format(ChunkKey key) {
    return directory.dataset(key.dataset()).storedFormat(key.chunk());
  }

  @Override
  public boolean storesAnyTime(ChunkedDataset dataset) {
    return false;
  }

  /** Records the block as free on this rank; it becomes reusable with the next flush. */
  @Override
  public void release(Block block, SpaceAllocator space, FreeBlocks free) {
    free.free(Use.DATA, block);
  }

  @Override
  public void beforeFlush(FileContext context, LocalStatus status) {
    // Every collective write has already looked up the previous records of its chunks.
  }

  @Override
  public void afterFlush(KeyedChunks chunks, Set<Long> datasets, Set<ChunkKey> kept) {
    datasets.forEach(id -> chunks.forgetStored(id, kept));
  }
}
