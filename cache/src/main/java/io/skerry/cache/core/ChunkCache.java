package io.skerry.cache.core;

import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.cache.RequestInterruptedException;
import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.api.ChunkStore;
import io.skerry.cache.api.WorkerPool;
import io.skerry.cache.eviction.AheadEncoder;
import io.skerry.cache.eviction.Evictor;
import io.skerry.cache.eviction.Limits;
import io.skerry.cache.eviction.Storer;
import io.skerry.cache.jfr.CacheEvents;
import io.skerry.cache.jfr.StatisticsEmitter;
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
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.dataspace.grid.ChunkRows;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The chunks of one open file that this rank holds in memory, for all its datasets and any number
 * of threads.
 *
 * <p>There are two ways in. Requests ({@link #read}, {@link #write}, {@link #defined}) are served
 * as a whole: put in order where they overlap, admitted when there is room, split where there is
 * not; what they miss is loaded, what is in the way is stored. Where several ranks have to agree on
 * what happens to a chunk, the collective code looks for versions ({@link #find}) and publishes new
 * ones ({@link #putUnstored}, {@link #putStored}) itself; the cache then keeps what is not stored
 * until it is told that it is ({@link #allStored}).
 *
 * <p>Chunks are immutable versions, so a reader keeps what it got while a writer publishes the
 * next, and while it is evicted.
 *
 * <p>{@link CacheOptions} says what the limits promise. {@link #statistics} are exact when nobody
 * is at work; while somebody is, they are apart from the truth by no more than what is just
 * changing.
 *
 * <p>Locks come in this order: tickets of requests, by address of the dataset; grants of memory;
 * the turn to store; then short ones that wait for nothing. Who has a {@link #quiet} or a {@link
 * #holdStores} open has the turn to store, and must not begin a request.
 *
 * <p>Source: the shared chunk cache design of 2025.
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
  private final DefinedQueries definitions;
  private final AheadEncoder ahead;
  private final KeyedChunks named;
  private final StatisticsEmitter pulse;

  /**
   * @param options how much it may hold
   * @param store the chunks as they are stored
   * @param workers threads that decode, encode and copy
   */
  public ChunkCache(CacheOptions options, ChunkStore store, WorkerPool workers) {
    CacheEvents events = new CacheEvents(store.name());
    pulse = new StatisticsEmitter(store.name(), this::statistics);
    waits = new WaitForGraph(events);
    admission = new Admission(0, events);
    limits = new Limits(options, admission::limit);
    storer = new Storer(store, workers, counters, events);
    evictor = new Evictor(ledger, recency, limits, storer, counters, events);
    Loader loader = new Loader(store, ledger, evictor, counters, events);
    prefetcher = new Prefetcher(limits, evictor, loader, workers);
    reads = new Reads(limits, admission, evictor, loader, workers, prefetcher, counters);
    writes = new Writes(limits, admission, ledger, evictor, loader, workers, counters);
    definitions = new DefinedQueries(store, ledger, admission, evictor, reads, workers, counters);
    ahead = new AheadEncoder(ledger, limits, evictor, storer, workers, counters);
    named = new KeyedChunks(datasets, ledger, evictor, storer, counters, events);
  }

  /**
   * Lets the Java Flight Recorder have the statistics once a second, now or when it is first used,
   * until the cache is closed.
   */
  public void publishStatistics() {
    pulse.start();
  }

  /**
   * Publishes the statistics for the last time; they can be asked for still. What is in memory is
   * not stored. Has no effect the second time.
   */
  @Override
  public void close() {
    pulse.close();
  }

  /** The header of a dataset, made when it is first asked for. */
  public DatasetChunks open(DatasetChunks.Layout layout) {
    return datasets.computeIfAbsent(
        layout.id(), _ -> new DatasetChunks(layout, waits, limits.options().policy(), recency));
  }

  /**
   * The newest version of a chunk for a read of some of its elements, if it is in memory and no
   * write is under way in its dataset. Neither locks nor allocates.
   *
   * @param number of the chunk in its dataset
   */
  public Optional<MemoryChunk> peek(DatasetChunks dataset, long number) {
    if (dataset.scan().isWalkElsewhere(number)) {
      // A read takes note of where the walk is.
      return Optional.empty();
    }
    RequestOrder requests = dataset.requests();
    long stamp = requests.stamp();
    Optional<MemoryChunk> found = dataset.findPart(number);
    if (found.isPresent() && requests.validate(stamp)) {
      counters.hits.increment();
      return found;
    }
    return Optional.empty();
  }

  /**
   * The same of several chunks: versions that were the newest ones at the same moment.
   *
   * @param rows one for each chunk
   * @return one for each of the rows, or none
   */
  public List<MemoryChunk> peek(DatasetChunks dataset, List<ChunkRows> rows) {
    RequestOrder requests = dataset.requests();
    long stamp = requests.stamp();
    List<MemoryChunk> found = new ArrayList<>(rows.size());
    for (ChunkRows part : rows) {
      long number = dataset.numbers().number(part);
      Optional<MemoryChunk> chunk =
          dataset.scan().isWalkElsewhere(number) ? Optional.empty() : dataset.findPart(number);
      if (chunk.isEmpty()) {
        return List.of();
      }
      found.add(chunk.get());
    }
    if (!requests.validate(stamp)) {
      return List.of();
    }
    counters.hits.add(found.size());
    return found;
  }

  /**
   * Serves a read.
   *
   * @throws RuntimeException if a chunk cannot be loaded, or one that is in the way not be stored
   * @throws RequestInterruptedException if the thread is interrupted while it waits
   */
  public void read(ReadRequest request) {
    reads.read(request);
  }

  /** The same for a caller that holds a ticket to read, from {@link DatasetChunks#requests}. */
  public void readHolding(ReadRequest request) {
    reads.readHolding(request);
  }

  /**
   * Finds which of the selected elements are defined; of chunks that are not in memory only the
   * part is read that tells.
   *
   * @throws RuntimeException if that cannot be read
   * @throws RequestInterruptedException if the thread is interrupted while it waits
   */
  public void defined(DefinedRequest request) {
    definitions.defined(request);
  }

  /** The same for a caller that holds a ticket to read, from {@link DatasetChunks#requests}. */
  public void definedHolding(DefinedRequest request) {
    definitions.definedHolding(request);
  }

  /**
   * Serves writes and erasures of several datasets.
   *
   * @param requests of different datasets
   * @throws RuntimeException if a chunk cannot be loaded or changed, or one that is in the way not
   *     be stored; nothing has changed then, unless the request is larger than the cache
   * @throws RequestInterruptedException if the thread is interrupted while it waits
   */
  public void write(List<ChangeRequest> requests) {
    writes.write(requests);
    requests.forEach(request -> ahead.written(request.dataset()));
  }

  /**
   * The same for a caller that holds a ticket to write for each dataset, from its {@link
   * DatasetChunks#requests}.
   */
  public void writeHolding(List<ChangeRequest> requests) {
    writes.writeHolding(requests);
    requests.forEach(request -> ahead.written(request.dataset()));
  }

  /**
   * Waits for all requests of all datasets that do not go with one of this kind, keeps new ones
   * away, and keeps everybody from storing chunks, as {@link #holdStores} does, until the result is
   * closed by the same thread.
   *
   * <p>An interrupt does not end the wait.
   *
   * @param kind {@code READ} lets reads go on, {@code WRITE} nothing
   */
  public Quiesced quiet(RequestOrder.Kind kind) {
    List<RequestOrder.Ticket> tickets = new ArrayList<>();
    boolean complete = false;
    try {
      List<DatasetChunks> ordered = new ArrayList<>(datasets.values());
      ordered.sort(Comparator.comparing(DatasetChunks::id, Long::compareUnsigned));
      for (DatasetChunks dataset : ordered) {
        tickets.add(dataset.requests().enterAllUninterruptibly(kind));
      }
      Storer.Turn turn = storer.pause();
      complete = true;
      return () -> {
        turn.close();
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
   * Keeps everybody from storing chunks, this thread included, until the result is closed by it:
   * what would have to be stored to make room stays meanwhile.
   */
  public Quiesced holdStores() {
    Storer.Turn turn = storer.pause();
    return () -> {
      turn.close();
      evictor.trimAfterwards();
    };
  }

  /** While it is open nobody else is at work. */
  public interface Quiesced extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Evicts what is above the limits.
   *
   * @throws RuntimeException if that does not suffice since a chunk could not be stored; it is
   *     still there
   */
  public void trim() {
    evictor.trim();
  }

  /**
   * Takes other limits, on the open file.
   *
   * @throws IllegalArgumentException if the policy is another: it is fixed when the file is opened
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
    evictor.trimAfterwards();
  }

  /** What was asked for. */
  public CacheOptions options() {
    return limits.options();
  }

  /** What it has done and holds. */
  public CacheStatistics statistics() {
    return new CacheStatistics(
        counters.hits.sum(),
        counters.misses.sum(),
        counters.loads.sum(),
        counters.located.sum(),
        counters.passed.sum(),
        counters.prefetched.sum(),
        counters.evictions.sum(),
        counters.encodes.sum(),
        counters.encodedAhead.sum(),
        counters.stores.sum(),
        counters.loadedBytes.sum(),
        admission.waits(),
        admission.waitNanos(),
        ledger.chunks(),
        ledger.bytes(),
        ledger.unstored(),
        limits.quiescent(),
        limits.active());
  }

  /** The newest version held. */
  public Optional<MemoryChunk> find(ChunkKey key) {
    return named.find(key);
  }

  /** The version held that is newer than what is stored. */
  public Optional<MemoryChunk> unstored(ChunkKey key) {
    return named.unstored(key);
  }

  /** Publishes a version that the file does not hold yet. */
  public void putUnstored(ChunkKey key, MemoryChunk chunk) {
    named.putUnstored(key, chunk);
  }

  /** Keeps a copy of what the file holds; ignored while there is a version. */
  public void putStored(ChunkKey key, MemoryChunk chunk) {
    named.putStored(key, chunk);
    evictor.trimAfterwards();
  }

  /** Bytes of versions that are newer than what is stored. */
  public long unstoredBytes() {
    return ledger.unstored();
  }

  /** All versions that are newer than what is stored, in key order; a copy. */
  public SortedMap<ChunkKey, MemoryChunk> unstored() {
    return named.unstored();
  }

  /** The chunks of a dataset with a version that is newer than what is stored. */
  public List<ChunkCoordinates> unstored(DatasetChunks dataset) {
    return KeyedChunks.unstored(dataset);
  }

  /**
   * The image of an unstored version, made now unless it was made ahead; empty if the chunk is to
   * be deleted. For workers.
   *
   * @throws IllegalStateException if there is nothing to store
   */
  public Optional<ChunkImage> encode(ChunkKey key) {
    return named.encode(key);
  }

  /**
   * Declares all unstored versions stored; those in which nothing is defined are forgotten. It must
   * have been {@link #quiet} since they were looked at.
   */
  public void allStored() {
    named.allStored();
    evictor.trimAfterwards();
  }

  /**
   * Forgets copies of what is stored of a dataset, except of the chunks in {@code keep}. Reads may
   * be under way, no write: it may have begun from a copy, and could not be published.
   */
  public void forgetStored(long id, Set<ChunkKey> keep) {
    named.forgetStored(id, keep);
  }

  /** Forgets the copy of a chunk, if there is one; the same holds. */
  public void forgetStored(ChunkKey key) {
    named.forgetStored(key);
  }

  /**
   * Forgets everything of a dataset, unstored versions too: it is to be deleted. Nobody else may be
   * at work in the dataset; when this returns nothing is read ahead either.
   */
  public void forget(long id) {
    named.forget(id);
    evictor.trimAfterwards();
  }

  /**
   * A dataset has another extent: what is known of chunks that lie outside is forgotten, except
   * what is not stored, and images that were made for the old one. Nobody else may be at work in
   * the dataset; when this returns nothing is read ahead for the old extent either.
   */
  public void reshape(long id, Shape shape) {
    named.reshape(id, shape);
    evictor.trimAfterwards();
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
