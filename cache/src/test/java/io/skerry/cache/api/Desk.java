package io.skerry.cache.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.cache.EvictionPolicy;
import io.skerry.cache.core.ChunkCache;
import io.skerry.cache.request.Longs;
import io.skerry.cache.scheduling.RequestOrder.Kind;
import io.skerry.cache.table.Audit;
import io.skerry.cache.table.Entry;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.DenseChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.chunk.format.SparseChunkFormat;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;

/** A cache with a store in memory, and operations on both for tests. */
public final class Desk implements AutoCloseable {
  private static final int WORKERS = 3;

  private final MemoryStore store = new MemoryStore();
  private final WorkerPool workers = new WorkerPool(WORKERS);
  private final ChunkCache cache;

  public Desk(CacheOptions options) {
    cache = new ChunkCache(options, store, workers);
  }

  /** Returns options with fixed limits, LRU eviction and no prefetch. */
  public static CacheOptions plain(long quiescent, long active) {
    return CacheOptions.standard()
        .withLimits(quiescent, active, quiescent)
        .withDatasetMinimum(0)
        .withPolicy(EvictionPolicy.LRU)
        .withPreemption(0)
        .withPrefetch(0);
  }

  public static ChunkFormat dense(long... chunk) {
    return DenseChunkFormat.of(chunk, Datatype.I64);
  }

  public static ChunkFormat filtered(long... chunk) {
    return DenseChunkFormat.of(chunk, Datatype.I64)
        .withPipeline(FilterPipeline.of(Filters.shuffle(), Filters.deflate(1)));
  }

  public static ChunkFormat sparse(long... chunk) {
    return SparseChunkFormat.of(chunk, Datatype.I64);
  }

  /** Returns the size of a written chunk of a dense dataset, in bytes. */
  public static long bytes(ChunkFormat format) {
    return Entry.OVERHEAD + format.newChunk().bytes() + Long.BYTES * format.elements();
  }

  public ChunkCache cache() {
    return cache;
  }

  public MemoryStore store() {
    return store;
  }

  public WorkerPool workers() {
    return workers;
  }

  public CacheStatistics statistics() {
    return cache.statistics();
  }

  public Longs open(long id, ChunkFormat format, Shape shape) {
    return Longs.open(cache, store, id, format, shape);
  }

  /** Opens a dataset with a single row of chunks. */
  public Longs row(long id, ChunkFormat format, long chunks) {
    return open(id, format, Shape.of(chunks * format.elements()).unlimited(0));
  }

  /**
   * Stores all chunks, as a flush of the file does.
   *
   * @return the number of chunks
   */
  public int flush() {
    try (var _ = cache.quiet(Kind.READ)) {
      Map<ChunkKey, MemoryChunk> unstored = cache.keyed().unstored();
      List<Callable<Runnable>> encodings = new ArrayList<>();
      for (ChunkKey key : unstored.keySet()) {
        encodings.add(() -> put(key));
      }
      List<Runnable> puts = workers.runAll(encodings);
      puts.forEach(Runnable::run);
      cache.keyed().allStored();
      assertEquals(Map.of(), cache.keyed().unstored(), "what is not stored after a flush");
      return puts.size();
    }
  }

  private Runnable put(ChunkKey key) {
    Optional<ChunkImage> image = cache.keyed().encode(key);
    return () -> store.put(key, image);
  }

  /** Waits until the helpers have executed their idle tasks. */
  public void settle() {
    CyclicBarrier all = new CyclicBarrier(WORKERS);
    for (int i = 0; i < WORKERS - 1; i++) {
      workers.whenIdle(() -> meet(all));
    }
    meet(all);
  }

  private static void meet(CyclicBarrier all) {
    try {
      all.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      fail(e);
    }
  }

  /** Checks the invariants that hold while no thread uses the cache. */
  public void check() {
    settle();
    Audit.of(cache, store);
    assertEquals(List.of(), store.violations());
  }

  @Override
  public void close() {
    workers.close();
  }
}
