package io.skerry.cache.core;

import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.cache.RequestInterruptedException;
import io.skerry.cache.api.ChunkStore;
import io.skerry.cache.api.WorkerPool;
import io.skerry.cache.eviction.AheadEncoder;
import io.skerry.cache.eviction.Evictor;
import io.skerry.cache.eviction.Limits;
import io.skerry.cache.eviction.Storer;
import io.skerry.cache.jfr.CacheEvents;
import io.skerry.cache.request.ChangeRequest;
import io.skerry.cache.request.DefinedQueries;
import io.skerry.cache.request.DefinedRequest;
import io.skerry.cache.request.Loader;
import io.skerry.cache.request.Prefetcher;
import io.skerry.cache.request.ReadRequest;
import io.skerry.cache.request.Reads;
import io.skerry.cache.request.Writes;
import io.skerry.cache.scheduling.Admission;
import io.skerry.cache.scheduling.RequestOrder;
import io.skerry.cache.scheduling.WaitForGraph;
import io.skerry.cache.table.Counters;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.cache.table.Ledger;
import io.skerry.cache.table.Recency;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The chunks of one open file that this rank holds in memory, for all datasets of the file. Any
 * number of threads may use the cache.
 *
 * <p>There are two kinds of access. The cache carries out requests ({@link #read}, {@link #write},
 * {@link #defined}) completely: it orders requests that overlap, admits them when enough memory is
 * free, splits requests that are too large, loads missing chunks, and stores chunks to free memory.
 * If several ranks must agree on the changes to a chunk, the collective code itself looks up
 * versions and publishes new ones by key ({@link #keyed}).
 *
 * <p>Chunks are immutable versions. A reader keeps the version that it looked up, even if a writer
 * publishes the next one or the chunk is evicted.
 *
 * <p>{@link CacheOptions} defines the guarantees of the limits. The {@link #statistics} are exact
 * while no thread uses the cache; otherwise they deviate by no more than the changes in progress.
 *
 * <p>Locks are acquired in this order: request tickets, in the order of the dataset addresses;
 * memory grants; the store lock; then short locks under which no thread waits. Until a thread has
 * closed the result of {@link #quiet}, {@link #holdStores} or {@link #blockOtherStores}, it holds
 * the store lock and must not make a request.
 *
 * <p>Source: "RFC: Shared Chunk Cache Design" (C. Carper, J. Mainzer, 2025).
 */
public final class ChunkCache implements AutoCloseable {
  private final Counters counters = new Counters();
  private final Ledger ledger = new Ledger();
  private final Recency recency = new Recency();
  private final WaitForGraph waits;
  private final Map<Long, DatasetChunks> datasets = new ConcurrentHashMap<>();
  private final Limits limits;
  private final Admission admission;
  private final Storer storer;
  private final Evictor evictor;
  private final Prefetcher prefetcher;
  private final Reads reads;
  private final Writes writes;
  private final DefinedQueries definedQueries;
  private final AheadEncoder aheadEncoder;
  private final KeyedChunks keyedChunks;
  private final StatisticsCollector statistics;

  /**
   * Creates an empty cache.
   *
   * @param options limits and policy
   * @param store the stored chunks of the file
   * @param workers threads that decode, encode and copy
   */
  public ChunkCache(CacheOptions options, ChunkStore store, WorkerPool workers) {
    CacheEvents events = new CacheEvents(store.name());
    waits = new WaitForGraph(events);
    admission = new Admission(0, events);
    limits = new Limits(options, admission::limit);
    statistics = new StatisticsCollector(store.name(), counters, ledger, admission, limits);
    storer = new Storer(store, workers, counters, events);
    evictor = new Evictor(ledger, recency, limits, storer, counters, events);
    Loader loader = new Loader(store, ledger, evictor, counters, events);
    prefetcher = new Prefetcher(limits, evictor, loader, workers);
    reads = new Reads(limits, admission, evictor, loader, workers, prefetcher, counters);
    writes = new Writes(limits, admission, ledger, evictor, loader, workers, counters);
    definedQueries =
        new DefinedQueries(store, ledger, admission, evictor, reads, workers, counters);
    aheadEncoder = new AheadEncoder(ledger, limits, evictor, storer, workers, counters);
    keyedChunks = new KeyedChunks(datasets, ledger, evictor, storer, counters, events);
  }

  /**
   * Publishes the statistics to the Java Flight Recorder once a second until the cache is closed.
   * Publishing starts when the recorder is first used, which may be later than this call.
   */
  public void publishStatistics() {
    statistics.publish();
  }

  /**
   * Stops publishing the statistics, after publishing them once more if publishing had started. The
   * statistics can still be queried afterwards. A second call has no effect.
   */
  @Override
  public void close() {
    statistics.close();
  }

  /** Returns the chunk table of a dataset; creates the table on the first call. */
  public DatasetChunks open(DatasetChunks.Layout layout) {
    return datasets.computeIfAbsent(
        layout.id(),
        _ -> new DatasetChunks(layout, waits, limits.options().policy(), recency, counters));
  }

  /**
   * Serves a read.
   *
   * @throws RuntimeException if a chunk cannot be loaded, or a chunk that must be evicted cannot be
   *     stored
   * @throws RequestInterruptedException if the thread is interrupted while it waits
   */
  public void read(ReadRequest request) {
    reads.read(request);
  }

  /**
   * Like {@link #read}, but for a caller that already holds a read ticket from {@link
   * DatasetChunks#requests}.
   */
  public void readHolding(ReadRequest request) {
    reads.readHolding(request);
  }

  /**
   * Finds the defined elements of a selection. If a chunk is not in memory, only the section that
   * lists its defined elements is read, or the whole chunk if it has no such section. Nothing is
   * read if the dataset is dense, since all its elements are defined.
   *
   * @throws RuntimeException if a section or a chunk cannot be read, or a chunk that must be
   *     evicted cannot be stored
   * @throws RequestInterruptedException if the thread is interrupted while it waits
   */
  public void defined(DefinedRequest request) {
    definedQueries.defined(request);
  }

  /**
   * Like {@link #defined}, but for a caller that already holds a read ticket from {@link
   * DatasetChunks#requests}.
   */
  public void definedHolding(DefinedRequest request) {
    definedQueries.definedHolding(request);
  }

  /**
   * Serves requests to write or erase elements of several datasets.
   *
   * @param requests the requests, each for a different dataset
   * @throws RuntimeException if a chunk cannot be loaded or changed, or a chunk that must be
   *     evicted cannot be stored; the write then has no effect, unless it is larger than the cache
   * @throws RequestInterruptedException if the thread is interrupted while it waits
   */
  public void write(List<ChangeRequest> requests) {
    writes.write(requests);
    requests.forEach(request -> aheadEncoder.written(request.dataset()));
  }

  /**
   * Like {@link #write}, but for a caller that already holds a write ticket for each dataset from
   * its {@link DatasetChunks#requests}.
   *
   * @param beforePublication an action that must not make a request; runs once, immediately before
   *     the first new versions are published; if it fails, the write has no effect on the cache
   */
  public void writeHolding(List<ChangeRequest> requests, Runnable beforePublication) {
    writes.writeHolding(requests, beforePublication);
    requests.forEach(request -> aheadEncoder.written(request.dataset()));
  }

  /**
   * Waits for all conflicting requests to all datasets that are open at the time of the call, and
   * blocks new conflicting requests until the calling thread closes the result. Until then, no
   * thread stores chunks, as with {@link #holdStores}.
   *
   * @param kind {@code READ} to block only writes, {@code WRITE} to block all requests
   * @throws RequestInterruptedException if the thread is interrupted while it waits for requests;
   *     the wait for the store lock is not interruptible
   */
  public Quiesced quiet(RequestOrder.Kind kind) {
    Quiesced blocked = block(datasets.values(), kind);
    Storer.Turn turn = storer.pause();
    return () -> {
      turn.close();
      blocked.close();
    };
  }

  /**
   * Waits for all conflicting requests to the given datasets, and blocks new conflicting requests
   * until the calling thread closes the result. Other threads may store chunks, and requests to
   * other datasets do not wait.
   *
   * @param chosen the chunk tables of different datasets, in any order
   * @param kind {@code READ} to block only writes, {@code WRITE} to block all requests
   * @throws RequestInterruptedException if the thread is interrupted while it waits
   */
  public Quiesced block(Collection<DatasetChunks> chosen, RequestOrder.Kind kind) {
    List<RequestOrder.Ticket> tickets = new ArrayList<>();
    boolean complete = false;
    try {
      List<DatasetChunks> ordered = new ArrayList<>(chosen);
      ordered.sort(Comparator.comparing(DatasetChunks::id, Long::compareUnsigned));
      for (DatasetChunks dataset : ordered) {
        tickets.add(dataset.requests().blockAll(kind));
      }
      complete = true;
      return () -> {
        tickets.reversed().forEach(RequestOrder.Ticket::close);
        evictor.trimAfterwards();
      };
    } finally {
      if (!complete) {
        tickets.reversed().forEach(RequestOrder.Ticket::close);
      }
    }
  }

  /**
   * Prevents all threads, including the calling one, from storing chunks until the calling thread
   * closes the result. Chunks that would have to be stored to free memory stay in the cache.
   */
  public Quiesced holdStores() {
    Storer.Turn turn = storer.pause();
    return () -> {
      turn.close();
      evictor.trimAfterwards();
    };
  }

  /**
   * Waits until no other thread stores chunks, and prevents other threads from storing chunks until
   * the calling thread closes the result. Unlike with {@link #holdStores}, the calling thread may
   * store chunks.
   *
   * @throws RequestInterruptedException if the thread is interrupted while it waits
   */
  public Quiesced blockOtherStores() {
    Storer.Turn turn = storer.turn();
    return () -> {
      turn.close();
      evictor.trimAfterwards();
    };
  }

  /** A period during which requests or stores are blocked. {@link #close} ends the period. */
  public interface Quiesced extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Evicts chunks until the cache is within its limits or no more chunks can be evicted.
   *
   * @throws RuntimeException if the cache still exceeds its limits because a chunk could not be
   *     stored; the chunk stays in the cache
   * @throws RequestInterruptedException if the thread is interrupted while it waits
   */
  public void trim() {
    evictor.trim();
  }

  /**
   * Changes the options of the cache while the file is open, and evicts chunks in excess of the new
   * limits. If this method fails to store a chunk or is interrupted, the new limits take effect
   * nevertheless.
   *
   * @throws IllegalArgumentException if the options have a different eviction policy; the policy is
   *     fixed when the file is opened
   * @throws RuntimeException if the cache exceeds the new limits because a chunk could not be
   *     stored; the chunk stays in the cache
   * @throws RequestInterruptedException if the thread is interrupted while it waits
   */
  public void configure(CacheOptions options) {
    if (options.policy() != limits.options().policy()) {
      throw new IllegalArgumentException(
          "the eviction policy cannot change on an open file: policy="
              + limits.options().policy()
              + " asked="
              + options.policy());
    }
    limits.configure(options);
    evictor.trim();
  }

  /** Returns the object that provides access to individual chunks by key. */
  public KeyedChunks keyed() {
    return keyedChunks;
  }

  /** Returns the present options. */
  public CacheOptions options() {
    return limits.options();
  }

  /** Returns the statistics of the cache: its counters, contents and limits. */
  public CacheStatistics statistics() {
    return statistics.collect();
  }

  public Collection<DatasetChunks> datasets() {
    return datasets.values();
  }

  public Prefetcher prefetcher() {
    return prefetcher;
  }

  public Admission admission() {
    return admission;
  }

  public Evictor evictor() {
    return evictor;
  }
}
