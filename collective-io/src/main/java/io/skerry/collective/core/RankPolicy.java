package io.skerry.collective.core;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.core.ChunkCache;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.collective.alloc.FreeBlocks;
import io.skerry.collective.alloc.UnpublishedChunks;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.owner.ChunkDirectory;
import io.skerry.collective.owner.FlushedRecords;
import io.skerry.collective.step.LocalStatus;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.mpi.Communicator;
import java.util.Optional;
import java.util.Set;

/**
 * The decisions below reads, writes and flushes that differ between a file that a single rank has
 * open and a file that several ranks have open. The policy is chosen once, when the file is opened;
 * nothing below it asks for the number of ranks to choose a path.
 */
public sealed interface RankPolicy permits SingleRankPolicy, MultiRankPolicy {
  /**
   * Chooses the policy of a file.
   *
   * @param ranks the ranks that have the file open
   * @param directory the chunk records for which this rank is the index owner
   * @param flushed the chunk records as of the last flush
   * @param unpublished the chunks of this rank that were stored since the last flush
   */
  static RankPolicy of(
      Communicator ranks,
      ChunkDirectory directory,
      FlushedRecords flushed,
      UnpublishedChunks unpublished) {
    return ranks.size() == 1
        ? new SingleRankPolicy(directory, unpublished)
        : new MultiRankPolicy(directory, flushed);
  }

  /** Makes the part of the policy that orders requests of the cache. */
  Quiescence quiescence(ChunkCache cache);

  /**
   * Returns the record with which the cache loads a chunk; empty if the chunk is not stored. Local.
   */
  Optional<ChunkRecord> record(ChunkKey key);

  /** Returns the format in which a chunk is stored at {@link #record}. Local. */
  ChunkFormat format(ChunkKey key);

  /** Returns true if the cache may store chunks of a dataset between flushes. */
  boolean storesAnyTime(ChunkedDataset dataset);

  /**
   * Releases a block of an unpublished chunk. Local.
   *
   * @param space the allocator that all ranks share
   * @param free the blocks that only this rank knows to be free
   */
  void release(Block block, SpaceAllocator space, FreeBlocks free);

  /**
   * Prepares a flush: notes where the dirty chunks of the cache were stored before, unless the
   * writes did. Local; the caller agrees on the status.
   */
  void beforeFlush(FileContext context, LocalStatus status);

  /**
   * Forgets copies of chunks that other ranks have stored with a flush. Local.
   *
   * @param datasets the datasets of which the flush changed the index
   * @param kept the chunks that this rank has stored itself
   */
  void afterFlush(ChunkCache cache, Set<Long> datasets, Set<ChunkKey> kept);
}
