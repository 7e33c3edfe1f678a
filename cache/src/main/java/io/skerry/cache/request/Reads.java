package io.skerry.cache.request;

import io.skerry.cache.api.SliceReader;
import io.skerry.cache.api.SliceReader.Pressure;
import io.skerry.cache.api.WorkerPool;
import io.skerry.cache.eviction.Evictor;
import io.skerry.cache.eviction.Limits;
import io.skerry.cache.eviction.Reservations.Room;
import io.skerry.cache.scheduling.Admission;
import io.skerry.cache.scheduling.RequestOrder.Kind;
import io.skerry.cache.table.ChunkSizes;
import io.skerry.cache.table.Counters;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.cache.table.Entry;
import io.skerry.cache.table.Saturating;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Serves reads: first from the chunks in memory, then from the other chunks, which bypass the cache
 * or are loaded in parts that fit within the limits. A read whose chunks are all in memory needs no
 * ticket, unless a write to the dataset is waiting or running.
 */
public final class Reads {
  /** Minimum total size of the chunks, in bytes, for a copy to be shared by several threads. */
  private static final long WORTH_SHARING = 1 << 20;

  private final Limits limits;
  private final Admission admission;
  private final Evictor evictor;
  private final Loader loader;
  private final WorkerPool workers;
  private final Prefetcher prefetcher;
  private final Counters counters;

  public Reads(
      Limits limits,
      Admission admission,
      Evictor evictor,
      Loader loader,
      WorkerPool workers,
      Prefetcher prefetcher,
      Counters counters) {
    this.limits = limits;
    this.admission = admission;
    this.evictor = evictor;
    this.loader = loader;
    this.workers = workers;
    this.prefetcher = prefetcher;
    this.counters = counters;
  }

  /** A slice and the version of its chunk to read. */
  private record Hit(ChunkSlice slice, MemoryChunk chunk) {}

  public void read(ReadRequest request) {
    if (request.slices().isEmpty()) {
      return;
    }
    if (isServedFromMemory(request)) {
      if (request.dataset().scan().isScan()) {
        prefetcher.read(request.dataset(), request.slices());
      }
      return;
    }
    Way way;
    try (var _ = request.dataset().requests().enter(request.selection(), Kind.READ)) {
      way = serve(request);
    } finally {
      evictor.trimAfterwards();
    }
    lookAhead(request, way);
  }

  /** Serves a request for a caller that already holds the ticket of the request. */
  public void readHolding(ReadRequest request) {
    if (request.slices().isEmpty()) {
      return;
    }
    Way way;
    try {
      way = serve(request);
    } finally {
      evictor.trimAfterwards();
    }
    lookAhead(request, way);
  }

  /** The way in which the chunks of a request were read. */
  private enum Way {
    /** At least one chunk was read through the cache. */
    CACHE,
    /**
     * All chunks bypassed the cache. The chunks after them are expected to bypass it too, so they
     * are not prefetched.
     */
    PAST
  }

  private void lookAhead(ReadRequest request, Way way) {
    if (way == Way.CACHE) {
      prefetcher.read(request.dataset(), request.slices());
    }
  }

  private boolean isServedFromMemory(ReadRequest request) {
    long stamp = request.dataset().requests().stamp();
    List<Hit> hits = new ArrayList<>(request.slices().size());
    for (ChunkSlice slice : request.slices()) {
      Optional<MemoryChunk> found = find(request.dataset(), slice);
      if (found.isEmpty()) {
        return false;
      }
      hits.add(new Hit(slice, found.get()));
    }
    if (!request.dataset().requests().validate(stamp)) {
      return false;
    }
    counters.hits.add(hits.size());
    copy(hits, request);
    return true;
  }

  private static Optional<MemoryChunk> find(DatasetChunks dataset, ChunkSlice slice) {
    long number = dataset.numbers().number(slice.scaled());
    return slice.coversWholeChunk() ? dataset.find(number) : dataset.findPart(number);
  }

  private void copy(List<Hit> hits, ReadRequest request) {
    SliceReader reader = request.reader();
    long bytes = hits.stream().mapToLong(hit -> hit.chunk().bytes()).sum();
    if (hits.size() == 1 || bytes < WORTH_SHARING) {
      hits.forEach(hit -> reader.read(hit.slice(), hit.chunk()));
      return;
    }
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (Hit hit : hits) {
      tasks.add(() -> {
        reader.read(hit.slice(), hit.chunk());
        return true;
      });
    }
    var unused = workers.crew(request.memory()).runAll(tasks);
  }

  private Way serve(ReadRequest request) {
    DatasetChunks dataset = request.dataset();
    List<Hit> hits = new ArrayList<>();
    List<ChunkSlice> missing = new ArrayList<>();
    for (ChunkSlice slice : request.slices()) {
      find(dataset, slice)
          .ifPresentOrElse(chunk -> hits.add(new Hit(slice, chunk)), () -> missing.add(slice));
    }
    counters.hits.add(hits.size());
    counters.misses.add(missing.size());
    copy(hits, request);
    if (missing.isEmpty()) {
      return Way.CACHE;
    }
    boolean fits = missing.size() <= limits.active() / dataset.sizes().usual();
    List<ChunkSlice> toLoad = past(request, missing, fits ? Pressure.NONE : Pressure.THRASHING);
    counters.passed.add(missing.size() - toLoad.size());
    if (!toLoad.isEmpty()) {
      load(request, toLoad);
    }
    return hits.isEmpty() && toLoad.isEmpty() ? Way.PAST : Way.CACHE;
  }

  /**
   * Reads chunks that are requested as a whole, bypassing the cache, unless the reader declines.
   *
   * @return the slices that were not read, whose chunks must be loaded
   */
  private List<ChunkSlice> past(ReadRequest request, List<ChunkSlice> missing, Pressure pressure) {
    List<Callable<Optional<ChunkSlice>>> tasks = new ArrayList<>();
    List<ChunkSlice> rest = new ArrayList<>();
    for (ChunkSlice slice : missing) {
      long number = request.dataset().numbers().number(slice.scaled());
      // A chunk that another thread is loading does not bypass the cache; the request waits for
      // it.
      if (request.reader().mayReadPast(slice) && request.dataset().isAbsent(number)) {
        tasks.add(() ->
            request.reader().readPast(slice, pressure) ? Optional.empty() : Optional.of(slice));
      } else {
        rest.add(slice);
      }
    }
    workers.crew(request.memory()).runAll(tasks).forEach(left -> left.ifPresent(rest::add));
    return rest;
  }

  /**
   * Loads chunks and reports their defined elements, for a request whose ticket the caller already
   * holds.
   */
  void loadFor(DefinedRequest request, List<ChunkSlice> slices) {
    if (!slices.isEmpty()) {
      ChunkFormat format = request.dataset().format();
      SliceReader reader =
          (slice, chunk) -> request.found().take(slice, format.defined(chunk, slice.elements()));
      load(
          new ReadRequest(request.dataset(), request.selection(), slices, reader, List.of()),
          slices);
    }
  }

  private void load(ReadRequest request, List<ChunkSlice> slices) {
    ChunkSizes sizes = request.dataset().sizes();
    long parts = request.slices().stream().filter(slice -> !slice.coversWholeChunk()).count();
    limits.partsOf(Saturating.product(parts, sizes.usual()));
    // The grant covers at least one large chunk, even if the average chunk is small.
    long asked = Math.max(Saturating.product(slices.size(), sizes.usual()), sizes.most());
    try (var grant = admission.admit(asked)) {
      int next = 0;
      while (next < slices.size()) {
        long each = sizes.most();
        int batch = sizes.batch(Math.min(grant.bytes(), evictor.free()) / each);
        int end = Math.min(slices.size() - next, batch) + next;
        loadBatch(request, slices.subList(next, end), each);
        next = end;
      }
    }
  }

  private void loadBatch(ReadRequest request, List<ChunkSlice> slices, long each) {
    DatasetChunks dataset = request.dataset();
    List<Long> numbers = new ArrayList<>(slices.size());
    slices.forEach(slice -> numbers.add(dataset.numbers().number(slice.scaled())));
    Loader.Receiver receiver = new ReadReceiver(request, slices);
    try (Room room = evictor.makeRoom(slices.size() * each, dataset)) {
      loader.load(dataset, numbers, room, workers.crew(request.memory()), receiver);
    }
  }

  /** Reads the elements of each slice when its chunk is loaded or found in memory. */
  private record ReadReceiver(ReadRequest request, List<ChunkSlice> slices)
      implements Loader.Receiver {
    @Override
    public void claimed(int index, Entry entry) {
      if (!slices.get(index).coversWholeChunk()) {
        entry.usedInPart();
      }
    }

    @Override
    public void loaded(int index, MemoryChunk chunk) {
      request.reader().read(slices.get(index), chunk);
    }

    @Override
    public boolean found(int index, Entry entry, MemoryChunk chunk) {
      claimed(index, entry);
      request.dataset().used(entry);
      loaded(index, chunk);
      return true;
    }
  }
}
