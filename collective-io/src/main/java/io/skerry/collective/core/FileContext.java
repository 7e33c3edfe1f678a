package io.skerry.collective.core;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.api.WorkerPool;
import io.skerry.cache.core.ChunkCache;
import io.skerry.cache.core.KeyedChunks;
import io.skerry.chunk.bytes.SegmentPool;
import io.skerry.collective.alloc.UnpublishedChunks;
import io.skerry.collective.commit.Commit;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.owner.ChunkDirectory;
import io.skerry.collective.owner.FlushedRecords;
import io.skerry.collective.step.CollectiveOutcome;
import io.skerry.collective.view.AgreedFile;
import io.skerry.collective.view.ChunkImageReader;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The state that the operations of one open file share on one rank.
 *
 * @param ranks the communicator of the file
 * @param file the file, for collective and independent calls
 * @param outcome the outcome, which makes all ranks agree on failures
 * @param directory the directory, which finds the records of chunks, the index owners and the chunk
 *     owners
 * @param store the store, which loads and stores chunks for the cache
 * @param cache the chunks in memory
 * @param previous the records, as of the last flush, of chunks that this rank has changed; an empty
 *     record means that the chunk was not stored. The next flush frees the blocks of these records
 * @param unpublished the chunks that this rank has stored since the last flush; the next flush
 *     sends their records to the index owners
 * @param workers the threads that encode and decode chunks
 * @param pool memory for messages and transfers
 * @param options the options of the file
 * @param meter the transfer counts of the current operation
 * @param space the space of the file
 * @param changes the changes since the last flush that the cache does not count
 * @param policy the decisions that depend on whether a single rank has the file open
 * @param quiescence the quiescence, which excludes other threads of this rank
 */
public record FileContext(
    Communicator ranks,
    AgreedFile file,
    CollectiveOutcome outcome,
    ChunkDirectory directory,
    FileChunkStore store,
    ChunkCache cache,
    Map<ChunkKey, Optional<ChunkRecord>> previous,
    UnpublishedChunks unpublished,
    WorkerPool workers,
    SegmentPool pool,
    FileOptions options,
    TransferMeter meter,
    FileSpace space,
    UnflushedChanges changes,
    RankPolicy policy,
    Quiescence quiescence) {

  /**
   * The upper bound of the limit on unstored chunks, in bytes: an eighth of the maximum heap.
   * During a flush, the images of these chunks may occupy as much memory again.
   */
  private static final long SHARE_OF_HEAP = Runtime.getRuntime().maxMemory() / 8;

  /** Returns the limit on unstored chunks in bytes; a write that exceeds it causes a flush. */
  public long unstoredLimit() {
    return Math.min(options.dirtyLimit(), SHARE_OF_HEAP);
  }

  public static FileContext of(
      Communicator ranks,
      AgreedFile file,
      ChunkImageReader images,
      CollectiveOutcome outcome,
      ChunkDirectory directory,
      FlushedRecords flushed,
      FileOptions options,
      SpaceAllocator allocator,
      Commit commit) {
    WorkerPool workers = new WorkerPool(options.workers());
    SegmentPool pool = new SegmentPool(2 * options.roundLimit());
    UnpublishedChunks unpublished = new UnpublishedChunks();
    Map<ChunkKey, Optional<ChunkRecord>> previous = new ConcurrentSkipListMap<>();
    RankPolicy policy = RankPolicy.of(ranks, directory, flushed, unpublished);
    FileSpace space = new FileSpace(allocator, commit, unpublished, policy);
    UnflushedChanges changes = new UnflushedChanges();
    FileChunkStore store =
        new FileChunkStore(
            policy,
            file,
            images,
            directory,
            flushed,
            unpublished,
            previous,
            pool,
            options.overwriting(),
            space,
            changes);
    ChunkCache cache = new ChunkCache(options.cache(), store, workers);
    cache.publishStatistics();
    return new FileContext(
        ranks,
        file,
        outcome,
        directory,
        store,
        cache,
        previous,
        unpublished,
        workers,
        pool,
        options,
        new TransferMeter(file),
        space,
        changes,
        policy,
        policy.quiescence(cache));
  }

  /** Returns the chunks in memory, by key. */
  public KeyedChunks chunks() {
    return cache.keyed();
  }

  /**
   * Drops this rank's copies of stored chunks, because other ranks may have overwritten the chunks.
   */
  public void forgetStoredCopies() {
    forgetStoredCopies(directory.datasets());
  }

  /** Drops this rank's copies of the stored chunks of the given datasets. */
  public void forgetStoredCopies(Iterable<ChunkedDataset> datasets) {
    for (ChunkedDataset dataset : datasets) {
      chunks().forgetStored(dataset.id(), Set.of());
    }
  }
}
