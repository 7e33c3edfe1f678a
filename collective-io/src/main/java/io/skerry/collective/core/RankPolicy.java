package io.skerry.collective.core;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.core.ChunkCache;
import io.skerry.cache.core.KeyedChunks;
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
 * The decisions in reads, writes and flushes that depend on whether one rank or several ranks have
 * the file open. The policy is chosen once, when the file is opened; the code that uses it does not
 * check the number of ranks.
 */
public sealed interface RankPolicy permits SingleRankPolicy, MultiRankPolicy {
  /**
   * Chooses the policy for a file.
   *
   * @param ranks the ranks that have the file open
   * @param directory the chunk records for which this rank is the index owner
   * @param flushed the chunk records as of the last flush
   * @param unpublished the chunks that this rank has stored since the last flush
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

  /** Creates the part of the policy that orders requests to the cache. */
  Quiescence quiescence(ChunkCache cache);

  /**
   * Returns the record from which the cache loads a chunk; empty if the chunk is not stored. Local.
   */
  Optional<ChunkRecord> record(ChunkKey key);

  /** Returns the format of the stored chunk to which {@link #record} refers. Local. */
  ChunkFormat format(ChunkKey key);

  /** Returns true if the cache may store chunks of a dataset between flushes. */
  boolean storesAnyTime(ChunkedDataset dataset);

  /**
   * Releases a block of an unpublished chunk. Local.
   *
   * @param space the allocator of the file
   * @param free the free blocks that are recorded only on this rank
   */
  void release(Block block, SpaceAllocator space, FreeBlocks free);

  /**
   * Prepares a flush, unless the writes have already done so: looks up the previous records of the
   * dirty chunks in the cache, and releases the blocks of their unpublished versions. Local; the
   * status records a failure, and the caller must make all ranks agree on it.
   */
  void beforeFlush(FileContext context, LocalStatus status);

  /**
   * Drops this rank's copies of stored chunks that other ranks may have replaced in the flush.
   * Local.
   *
   * @param datasets the datasets whose indexes the flush has changed
   * @param kept the chunks that this rank has stored itself
   */
  void afterFlush(KeyedChunks chunks, Set<Long> datasets, Set<ChunkKey> kept);
}
