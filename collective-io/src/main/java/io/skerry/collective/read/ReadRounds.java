package io.skerry.collective.read;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.core.Rounds;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.view.ChunkImageReader;
import io.skerry.format.index.api.ChunkRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * The rounds of a collective read. Each round fetches its small chunks with one collective vector
 * read. The calling thread and the workers then process all chunks of the round, and read the large
 * ones independently; if only the calling thread may access the caller's memory, that thread works
 * alone.
 */
final class ReadRounds {
  /** A chunk is large if its stored size is at least 1/256 of the byte limit of a round. */
  private static final long PARTS = 256;

  private final FileContext context;
  private final ChunkImageReader images;

  ReadRounds(FileContext context, ChunkImageReader images) {
    this.context = context;
    this.images = images;
  }

  /**
   * Reads and processes the chunks of all ranks. Collective. On return, {@code status} may hold a
   * failure of this rank, so the caller must have the ranks agree on the status afterwards.
   */
  void run(LocatedChunks chunks, ReadWork work, LocalStatus status) {
    List<List<ChunkKey>> rounds = split(chunks);
    long agreed = context.outcome().agree(status, rounds.size())[0];
    context.meter().rounds(agreed);
    for (int round = 0; round < agreed; round++) {
      List<ChunkKey> keys = round < rounds.size() ? rounds.get(round) : List.of();
      run(keys, chunks, work, status);
    }
  }

  /**
   * Divides chunks into rounds by their stored sizes; chunks that are in memory or absent count as
   * 0 bytes.
   */
  private List<List<ChunkKey>> split(LocatedChunks chunks) {
    return Rounds.split(
        chunks.keys(),
        key -> chunks.record(key).map(record -> record.sections().size()).orElse(0L),
        context.options().readLimit());
  }

  private void run(List<ChunkKey> keys, LocatedChunks chunks, ReadWork work, LocalStatus status) {
    try (Leases leases = new Leases(context.pool())) {
      List<ChunkRecord> all = new ArrayList<>();
      keys.forEach(key -> chunks.record(key).ifPresent(all::add));
      status.attempt(() -> images.check(all));
      List<ChunkRecord> small = all.stream().filter(record -> !isLarge(record)).toList();
      Map<ChunkRecord, ChunkImage> fetched = images.read(small, leases, status);
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (ChunkKey key : keys) {
        ChunkSlice slice = chunks.slice(key);
        tasks.add(() -> {
          try (Leases own = new Leases(context.pool())) {
            work.action().apply(slice, chunks.source(key, fetched), own);
          }
          return true;
        });
      }
      status.attempt(() -> context.workers().runAll(List.of(work.memory()), tasks), List.of());
    }
  }

  /** Returns whether a worker reads the chunk independently, instead of all ranks collectively. */
  private boolean isLarge(ChunkRecord record) {
    return record.sections().size() >= context.options().readLimit() / PARTS;
  }
}
