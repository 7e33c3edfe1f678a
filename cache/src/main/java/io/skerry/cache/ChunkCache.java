package io.skerry.cache;

import io.skerry.cache.ChunkState.Clean;
import io.skerry.cache.ChunkState.Dirty;
import io.skerry.cache.ChunkState.Gone;
import io.skerry.cache.ChunkState.Held;
import io.skerry.cache.ChunkState.Loading;
import io.skerry.cache.ChunkState.Located;
import io.skerry.cache.ChunkState.Unstored;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.MemoryChunk;
import io.skerry.chunk.space.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

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
 * <p>Source: the shared chunk cache design of 2025.
 */
public final class ChunkCache {
  private final Counters counters = new Counters();
  private final Ledger ledger = new Ledger();
  private final Recency recency = new Recency();
  private final WaitChain waits = new WaitChain();
  private final Map<Long, DatasetChunks> datasets = new ConcurrentHashMap<>();
  private final Limits limits;
  private final Admission admission;
  private final Storer storer;
  private final Evictor evictor;
  private final Reads reads;
  private final Writes writes;
  private final Definitions definitions;
  private final AheadEncoder ahead;

  /**
   * @param options how much it may hold
   * @param store the chunks as they are stored
   * @param workers threads that decode, encode and copy
   */
  public ChunkCache(CacheOptions options, ChunkStore store, WorkerPool workers) {
    limits = new Limits(options);
    admission = new Admission(limits.active());
    storer = new Storer(store, workers, counters);
    evictor = new Evictor(ledger, recency, limits, storer, counters);
    Loader loader = new Loader(store, ledger, evictor, counters);
    Prefetcher prefetcher = new Prefetcher(limits, evictor, loader, workers, counters);
    reads = new Reads(limits, admission, evictor, loader, workers, prefetcher, counters);
    writes = new Writes(limits, admission, ledger, evictor, loader, workers, counters);
    definitions = new Definitions(store, ledger, evictor, reads, workers, counters);
    ahead = new AheadEncoder(ledger, limits, evictor, storer, workers, counters);
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
    ahead.written();
  }

  /**
   * The same for a caller that holds a ticket to write for each dataset, from its {@link
   * DatasetChunks#requests}.
   */
  public void writeHolding(List<ChangeRequest> requests) {
    writes.writeHolding(requests);
    ahead.written();
  }

  /**
   * Waits for all requests of all datasets that do not go with one of this kind, keeps new ones
   * away, and keeps everybody from storing chunks, until the result is closed by the same thread.
   *
   * @param kind {@code READ} lets reads go on, {@code WRITE} nothing
   * @throws RequestInterruptedException if the thread is interrupted while it waits
   */
  public Quiet quiet(RequestOrder.Kind kind) {
    List<RequestOrder.Ticket> tickets = new ArrayList<>();
    boolean complete = false;
    try {
      List<DatasetChunks> ordered = new ArrayList<>(datasets.values());
      ordered.sort(Comparator.comparingLong(DatasetChunks::id));
      for (DatasetChunks dataset : ordered) {
        tickets.add(dataset.requests().enterAll(kind));
      }
      Storer.Pause pause = storer.pause();
      complete = true;
      return () -> {
        pause.close();
        tickets.reversed().forEach(RequestOrder.Ticket::close);
      };
    } finally {
      if (!complete) {
        tickets.reversed().forEach(RequestOrder.Ticket::close);
      }
    }
  }

  /** Keeps everybody else from storing chunks, until the result is closed by the same thread. */
  public Quiet holdStores() {
    Storer.Pause pause = storer.pause();
    return pause::close;
  }

  /** While it is open nobody else is at work. */
  public interface Quiet extends AutoCloseable {
    @Override
    void close();
  }

  /** Evicts what is above the limits. */
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
    admission.limit(limits.active());
    evictor.trim();
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

  private DatasetChunks dataset(ChunkKey key) {
    return Objects.requireNonNull(
        datasets.get(key.dataset()), () -> "not an open dataset: key=" + key);
  }

  /** The newest version held. */
  public Optional<MemoryChunk> find(ChunkKey key) {
    DatasetChunks dataset = dataset(key);
    return dataset.find(dataset.number(key.chunk()));
  }

  /** The version held that is newer than what is stored. */
  public Optional<MemoryChunk> unstored(ChunkKey key) {
    DatasetChunks dataset = dataset(key);
    return dataset.chunks().get(dataset.number(key.chunk())).state() instanceof Unstored state
        ? Optional.of(state.chunk())
        : Optional.empty();
  }

  /** Publishes a version that the file does not hold yet. */
  public void putUnstored(ChunkKey key, MemoryChunk chunk) {
    put(key, new Dirty(chunk), _ -> true);
  }

  /** Keeps a copy of what the file holds; ignored while there is a version. */
  public void putStored(ChunkKey key, MemoryChunk chunk) {
    put(key, new Clean(chunk), state -> !(state instanceof Held));
    evictor.trim();
  }

  private void put(ChunkKey key, ChunkState next, Predicate<ChunkState> replaces) {
    DatasetChunks dataset = dataset(key);
    long number = dataset.number(key.chunk());
    while (true) {
      Entry entry = dataset.chunks().get(number);
      ChunkState seen = entry.state();
      if (seen instanceof Gone) {
        Entry mine = new Entry(dataset, number, next);
        if (ledger.enter(mine) == mine) {
          evictor.arrived(List.of(mine));
          return;
        }
      } else if (!replaces.test(seen) || ledger.change(entry, seen, next)) {
        return;
      }
    }
  }

  /** Bytes of versions that are newer than what is stored. */
  public long unstoredBytes() {
    return ledger.unstored();
  }

  /** All versions that are newer than what is stored, in key order; a copy. */
  public TreeMap<ChunkKey, MemoryChunk> unstored() {
    TreeMap<ChunkKey, MemoryChunk> found = new TreeMap<>();
    for (DatasetChunks dataset : datasets.values()) {
      dataset
          .chunks()
          .forEach(entry -> {
            if (entry.state() instanceof Unstored state) {
              found.put(dataset.key(entry.number()), state.chunk());
            }
          });
    }
    return found;
  }

  /**
   * The image of an unstored version, made now unless it was made ahead; empty if the chunk is to
   * be deleted. For workers.
   */
  public Optional<ChunkImage> encode(ChunkKey key) {
    DatasetChunks dataset = dataset(key);
    Entry entry = dataset.chunks().get(dataset.number(key.chunk()));
    if (entry.state() instanceof Unstored state) {
      return storer.image(entry, state).image();
    }
    throw new IllegalStateException("nothing to store: chunk=" + key);
  }

  /** Declares all unstored versions stored; those in which nothing is defined are forgotten. */
  public void allStored() {
    for (DatasetChunks dataset : datasets.values()) {
      dataset
          .chunks()
          .forEach(entry -> {
            // An image that is made ahead just now changes the state too.
            while (entry.state() instanceof Unstored state) {
              boolean empty = state.chunk().definedCount() == 0;
              change(entry, state, empty ? Gone.INSTANCE : new Clean(state.chunk()));
              counters.stores.increment();
            }
          });
    }
    evictor.trim();
  }

  private void change(Entry entry, ChunkState seen, ChunkState next) {
    if (ledger.change(entry, seen, next) && next instanceof Gone) {
      evictor.left(entry);
    }
  }

  /** Forgets copies of what is stored of a dataset, except of the chunks in {@code keep}. */
  public void forgetStored(long id, Set<ChunkKey> keep) {
    drop(
        id,
        entry ->
            !(entry.state() instanceof Unstored)
                && !keep.contains(entry.dataset().key(entry.number())));
  }

  /** Forgets the copy of a chunk, if there is one. */
  public void forgetStored(ChunkKey key) {
    DatasetChunks dataset = dataset(key);
    Entry entry = dataset.chunks().get(dataset.number(key.chunk()));
    ChunkState seen = entry.state();
    if (seen instanceof Clean || seen instanceof Located || seen instanceof Loading) {
      change(entry, seen, Gone.INSTANCE);
    }
  }

  /** Forgets everything of a dataset, unstored versions too: it is to be deleted. */
  public void forget(long id) {
    drop(id, _ -> true);
    DatasetChunks left = datasets.remove(id);
    if (left != null) {
      evictor.left(left);
    }
  }

  /**
   * A dataset has another extent: what is known of chunks that lie outside is forgotten, and images
   * that were made for the old one. Nobody else may be at work in the dataset.
   */
  public void reshape(long id, Shape shape) {
    DatasetChunks dataset = datasets.get(id);
    if (dataset == null) {
      return;
    }
    dataset.reshape(shape);
    dataset
        .chunks()
        .forEach(entry -> {
          if (entry.state() instanceof ChunkState.Encoded encoded) {
            var unused = ledger.change(entry, encoded, new Dirty(encoded.chunk()));
          }
        });
    drop(
        id,
        entry ->
            !(entry.state() instanceof Unstored)
                && !dataset.isInside(dataset.numbers().point(entry.number()).scaled()));
  }

  private void drop(long id, Predicate<Entry> which) {
    DatasetChunks dataset = datasets.get(id);
    if (dataset == null) {
      return;
    }
    dataset
        .chunks()
        .forEach(entry -> {
          ChunkState seen = entry.state();
          while (!(seen instanceof Gone) && which.test(entry)) {
            change(entry, seen, Gone.INSTANCE);
            seen = entry.state();
          }
        });
  }
}
