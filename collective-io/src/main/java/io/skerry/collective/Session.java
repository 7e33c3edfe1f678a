package io.skerry.collective;

import io.skerry.cache.ChunkCache;
import io.skerry.cache.ChunkKey;
import io.skerry.cache.WorkerPool;
import io.skerry.chunk.bytes.SegmentPool;
import io.skerry.collective.owner.Directory;
import io.skerry.collective.owner.FlushedRecords;
import io.skerry.collective.view.AgreedFile;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.mpi.Communicator;
import java.util.Map;
import java.util.Optional;
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
 */
record Session(
    Communicator ranks,
    AgreedFile file,
    CollectiveOutcome outcome,
    Directory directory,
    FileChunkStore store,
    ChunkCache cache,
    Map<ChunkKey, Optional<ChunkRecord>> stored,
    EarlyPlaces ahead,
    WorkerPool workers,
    SegmentPool pool,
    FileOptions options,
    TransferMeter meter) {

  /** Bytes of the heap that unstored chunks may take; their images take as much in a flush. */
  private static final long SHARE_OF_HEAP = Runtime.getRuntime().maxMemory() / 8;

  /** Bytes of unstored chunks above which a write flushes. */
  long unstoredLimit() {
    return Math.min(options.dirtyLimit(), SHARE_OF_HEAP);
  }

  static Session of(
      Communicator ranks,
      AgreedFile file,
      ImageReader images,
      CollectiveOutcome outcome,
      Directory directory,
      FlushedRecords flushed,
      FileOptions options) {
    WorkerPool workers = new WorkerPool(options.workers());
    SegmentPool pool = new SegmentPool(2 * options.roundLimit());
    EarlyPlaces ahead = new EarlyPlaces();
    Map<ChunkKey, Optional<ChunkRecord>> stored = new ConcurrentSkipListMap<>();
    FileChunkStore store =
        new FileChunkStore(
            ranks.size() == 1 ? FileChunkStore.Place.CHOSEN_HERE : FileChunkStore.Place.AGREED_ON,
            file,
            images,
            directory,
            flushed,
            ahead,
            stored,
            pool,
            options.overwriting());
    ChunkCache cache = new ChunkCache(options.cache(), store, workers);
    cache.publishStatistics();
    return new Session(
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
        new TransferMeter(file));
  }
}
