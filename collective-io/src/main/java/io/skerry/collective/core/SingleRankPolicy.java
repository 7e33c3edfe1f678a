package io.skerry.collective.core;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.core.ChunkCache;
import io.skerry.cache.core.KeyedChunks;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.collective.alloc.FreeBlocks;
import io.skerry.collective.alloc.UnpublishedChunks;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.owner.ChunkDirectory;
import io.skerry.collective.step.LocalStatus;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.block.Block;
import io.skerry.format.index.api.ChunkRecord;
import java.util.Optional;
import java.util.Set;

/**
 * The policy of a file that a single rank has open. The rank may allocate space at any time, so the
 * cache may store chunks before the flush, and reads use the most recently stored version of every
 * chunk.
 */
public record SingleRankPolicy(ChunkDirectory directory, UnpublishedChunks unpublished)
    implements RankPolicy {
  @Override
  public Quiescence quiescence(ChunkCache cache) {
    return new SingleRankQuiescence(cache);
  }

  @Override
  public Optional<ChunkRecord> record(ChunkKey key) {
    return unpublished.recordOr(key, directory::record);
  }

  @Override
  public ChunkFormat format(ChunkKey key) {
    return directory.dataset(key.dataset()).format(key.chunk());
  }

  /**
   * Returns false for a dataset whose chunks have fixed addresses, since only a flush, which
   * protects them with the journal, may store such chunks.
   */
  @Override
  public boolean storesAnyTime(ChunkedDataset dataset) {
    return !dataset.hasFixedChunks();
  }

  @Override
  public void release(Block block, SpaceAllocator space, FreeBlocks free) {
    space.free(Use.DATA, block);
  }

  /**
   * Looks up the previous records of all dirty chunks, since writes through the cache do not look
   * them up, and releases the blocks of their unpublished versions.
   */
  @Override
  public void beforeFlush(FileContext context, LocalStatus status) {
    status.attempt(() -> {
      for (ChunkKey key : context.chunks().unstored().keySet()) {
        context.previous().computeIfAbsent(key, directory::record);
        context.space().release(key);
      }
    });
  }

  @Override
  public void afterFlush(KeyedChunks chunks, Set<Long> datasets, Set<ChunkKey> kept) {
    // No other rank stores chunks.
  }
}
