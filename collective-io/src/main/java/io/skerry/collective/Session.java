package io.skerry.collective;

import io.skerry.cache.ChunkCache;
import io.skerry.cache.ChunkKey;
import io.skerry.cache.WorkerPool;
import io.skerry.chunk.bytes.SegmentPool;
import io.skerry.collective.owner.Directory;
import io.skerry.collective.view.AgreedFile;
import io.skerry.format.index.ChunkRecord;
import io.skerry.mpi.Communicator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the collective operations of one open file share on one rank.
 *
 * @param ranks the communicator
 * @param file collective file calls
 * @param outcome agreement
 * @param directory homes and owners
 * @param cache chunks in memory
 * @param stored where the chunks that this rank owns dirty were stored before, which a flush frees
 * @param ahead where chunks of this rank stand that were stored before the flush; only here is that
 *     known, and the next flush tells
 * @param workers encoding and decoding threads
 * @param pool memory for what travels and for what is written or read
 * @param options memory and threads
 */
record Session(
    Communicator ranks,
    AgreedFile file,
    CollectiveOutcome outcome,
    Directory directory,
    ChunkCache cache,
    Map<ChunkKey, Optional<ChunkRecord>> stored,
    Map<ChunkKey, ChunkRecord> ahead,
    WorkerPool workers,
    SegmentPool pool,
    FileOptions options) {

  static Session of(
      Communicator ranks,
      AgreedFile file,
      CollectiveOutcome outcome,
      Directory directory,
      FileOptions options) {
    return new Session(
        ranks,
        file,
        outcome,
        directory,
        new ChunkCache(options.cleanLimit()),
        new TreeMap<>(),
        new TreeMap<>(),
        new WorkerPool(options.workers()),
        new SegmentPool(2 * options.roundLimit()),
        options);
  }
}
