package io.skerry.collective.core;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.api.WorkerPool;
import io.skerry.cache.core.ChunkCache;
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
 * What the collective operations of one open file share on one rank.
 *
 * @param ranks the communicator
 * @param file collective file calls
 * @param outcome agreement
 * @param directory homes and owners
 * @param store the chunks of this rank as they are stored, for the cache
 * @param cache chunks in memory
 * @param stored where the chunks that this rank owns dirty were stored before, which a flush frees
 * @param ahead where chunks of this rank stand that were stored before the flush; only here is that
 *     known, and the next flush tells
 * @param workers encoding and decoding threads
 * @param pool memory for what travels and for what is written or read
 * @param options memory and threads
 * @param meter what the operation under way does
 * @param space the space of the file
 * @param changes changes since the last flush that the cache does not count
 * @param policy the decisions that depend on whether a single rank has the file open
 * @param quiescence excludes other threads of this rank
 */
public record FileContext(
    Communicator ranks,
    AgreedFile file,
    CollectiveOutcome outcome,
    ChunkDirectory directory,
    FileChunkStore store,
    ChunkCache cache,
    Map<ChunkKey, Optional<ChunkRecord>> stored,
    UnpublishedChunks ahead,
    WorkerPool workers,
    SegmentPool pool,
    FileOptions options,
    TransferMeter meter,
    FileSpace space,
    UnflushedChanges changes,
    RankPolicy policy,
    Quiescence quiescence) {

  /** Bytes of the heap that unstored chunks may take; their images take as much in a flush. */
  private static final long SHARE_OF_HEAP = Runtime.getRuntime().maxMemory() / 8;

  /** Bytes of unstored chunks above which a write flushes. */
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
    UnpublishedChunks ahead = new UnpublishedChunks();
    Map<ChunkKey, Optional<ChunkRecord>> stored = new ConcurrentSkipListMap<>();
    RankPolicy policy = RankPolicy.of(ranks, directory, flushed, ahead);
    FileSpace space = new FileSpace(allocator, commit, ahead, policy);
    UnflushedChanges changes = new UnflushedChanges();
    FileChunkStore store =
        new FileChunkStore(
            policy,
            file,
            images,
            directory,
            flushed,
            ahead,
            stored,
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
        stored,
        ahead,
        workers,
        pool,
        options,
        new TransferMeter(file),
        space,
        changes,
        policy,
        policy.quiescence(cache));
  }

  /** Forgets copies of stored chunks: other ranks may have overwritten them independently. */
  public void forgetStoredCopies() {
    for (ChunkedDataset dataset : directory.datasets()) {
      cache.forgetStored(dataset.id(), Set.of());
    }
  }
}
