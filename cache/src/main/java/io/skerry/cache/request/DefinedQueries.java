package io.skerry.cache.request;

import io.skerry.cache.RequestInterruptedException;
import io.skerry.cache.api.ChunkStore;
import io.skerry.cache.api.WorkerPool;
import io.skerry.cache.eviction.Evictor;
import io.skerry.cache.eviction.Reservations.Room;
import io.skerry.cache.request.Claims.Awaited;
import io.skerry.cache.request.Claims.Claim;
import io.skerry.cache.request.Claims.Known;
import io.skerry.cache.request.Claims.Present;
import io.skerry.cache.request.Claims.Want;
import io.skerry.cache.scheduling.Admission;
import io.skerry.cache.scheduling.RequestOrder.Kind;
import io.skerry.cache.table.ChunkSizes;
import io.skerry.cache.table.ChunkState.Gone;
import io.skerry.cache.table.ChunkState.Held;
import io.skerry.cache.table.ChunkState.Loading;
import io.skerry.cache.table.ChunkState.Located;
import io.skerry.cache.table.Counters;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.cache.table.Entry;
import io.skerry.cache.table.Ledger;
import io.skerry.cache.table.Saturating;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.ChunkFormat.Definedness;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Finds the defined elements of selections. If a chunk is not in memory, only the section that
 * lists its defined elements is read and kept in the cache; a later access to the values loads the
 * chunk. A chunk whose defined elements cannot be determined without its values is loaded at once.
 * Nothing is read if the dataset is dense, since all its elements are defined. The reading thread
 * first claims the chunk, as for a load, so no other thread writes the chunk at the same time.
 */
public final class DefinedQueries {
  /**
   * Maximum number of chunks whose defined elements are read before free memory is checked again.
   */
  private static final int AT_A_TIME = 256;

  private final ChunkStore store;
  private final Ledger ledger;
  private final Admission admission;
  private final Evictor evictor;
  private final Reads reads;
  private final WorkerPool workers;
  private final Counters counters;

  public DefinedQueries(
      ChunkStore store,
      Ledger ledger,
      Admission admission,
      Evictor evictor,
      Reads reads,
      WorkerPool workers,
      Counters counters) {
    this.store = store;
    this.ledger = ledger;
    this.admission = admission;
    this.evictor = evictor;
    this.reads = reads;
    this.workers = workers;
    this.counters = counters;
  }

  /** The defined elements of a slice. */
  private record Answer(ChunkSlice slice, RunSet defined) {}

  public void defined(DefinedRequest request) {
    DatasetChunks dataset = request.dataset();
    if (dataset.format().definedness() == Definedness.ALL) {
      request.slices().get().forEach(slice -> request.found().take(slice, slice.elements()));
      return;
    }
    long stamp = dataset.requests().stamp();
    List<Answer> known = new ArrayList<>();
    List<ChunkSlice> unknown = look(dataset, request.slices().get(), known);
    if (unknown.isEmpty() && dataset.requests().validate(stamp)) {
      counters.hits.add(known.size());
      tell(known, request);
      return;
    }
    try (var _ = dataset.requests().enter(request.selection(), Kind.READ)) {
      definedHolding(request);
    }
  }

  /** Serves a request for a caller that already holds the ticket of the request. */
  public void definedHolding(DefinedRequest request) {
    DatasetChunks dataset = request.dataset();
    try {
      List<Answer> sure = new ArrayList<>();
      List<ChunkSlice> missing = look(dataset, request.slices().get(), sure);
      counters.hits.add(sure.size());
      counters.misses.add(missing.size());
      tell(sure, request);
      if (!missing.isEmpty()) {
        reads.loadFor(request, locateAdmitted(request, missing));
      }
    } finally {
      evictor.trimAfterwards();
    }
  }

  private static void tell(List<Answer> known, DefinedRequest request) {
    known.forEach(one -> request.found().take(one.slice(), one.defined()));
  }

  /**
   * Looks up the defined elements of slices in the cache.
   *
   * @param known the receiver of the slices whose defined elements are known
   * @return the slices whose defined elements are not known
   */
  private static List<ChunkSlice> look(
      DatasetChunks dataset, List<ChunkSlice> slices, List<Answer> known) {
    ChunkFormat format = dataset.format();
    List<ChunkSlice> unknown = new ArrayList<>();
    for (ChunkSlice slice : slices) {
      long number = dataset.numbers().number(slice.scaled());
      Entry entry = dataset.chunks().get(number);
      switch (entry.state()) {
        case Held held -> {
          dataset.used(entry);
          known.add(new Answer(slice, format.defined(held.chunk(), slice.elements())));
        }
        case Located(RunSet defined) -> {
          dataset.used(entry);
          known.add(new Answer(slice, defined.intersect(slice.elements())));
        }
        case Loading _, Gone _ -> unknown.add(slice);
      }
    }
    return unknown;
  }

  /**
   * Reads the sections that list defined elements, within the memory limits.
   *
   * @return the slices whose defined elements cannot be read from such a section; their chunks must
   *     be loaded
   */
  private List<ChunkSlice> locateAdmitted(DefinedRequest request, List<ChunkSlice> missing) {
    ChunkSizes sizes = request.dataset().sizes();
    List<ChunkSlice> toLoad = new ArrayList<>();
    long all = Saturating.product(missing.size(), sizes.usualLocated());
    try (var grant = admission.admit(Math.max(all, sizes.mostLocated()))) {
      int next = 0;
      while (next < missing.size()) {
        long each = sizes.mostLocated();
        int fitting = sizes.batchLocated(Math.min(grant.bytes(), evictor.free()) / each);
        int end = Math.min(missing.size() - next, Math.min(fitting, AT_A_TIME)) + next;
        toLoad.addAll(locate(request, missing.subList(next, end), each));
        next = end;
      }
    }
    return toLoad;
  }

  /**
   * Reads the sections of a batch of chunks, after freeing memory for them.
   *
   * @param each estimated maximum size of a section in the cache, in bytes
   * @return the slices whose defined elements cannot be read from such a section; their chunks must
   *     be loaded
   */
  private List<ChunkSlice> locate(DefinedRequest request, List<ChunkSlice> missing, long each) {
    List<ChunkSlice> toLoad = new ArrayList<>();
    List<ChunkSlice> left = missing;
    while (!left.isEmpty()) {
      Round round = new Round(request);
      try (Room room = evictor.makeRoom(left.size() * each, request.dataset());
          Claims claims = new Claims(request.dataset(), ledger, evictor, room)) {
        left.forEach(slice -> round.claim(slice, claims));
        toLoad.addAll(workers.runAll(round.tasks).stream().flatMap(Optional::stream).toList());
      }
      left = round.takeOthers();
    }
    return toLoad;
  }

  /** A pass over slices: known results, chunks that other threads load, and sections to read. */
  private final class Round {
    private final DefinedRequest request;
    private final DatasetChunks dataset;
    private final List<Answer> known = new ArrayList<>();
    private final List<Awaited> awaited = new ArrayList<>();
    private final List<ChunkSlice> others = new ArrayList<>();

    /** Tasks that read sections; each returns its slice if the chunk must be loaded. */
    private final List<Callable<Optional<ChunkSlice>>> tasks = new ArrayList<>();

    Round(DefinedRequest request) {
      this.request = request;
      this.dataset = request.dataset();
    }

    void claim(ChunkSlice slice, Claims claims) {
      long number = dataset.numbers().number(slice.scaled());
      switch (claims.claim(number, Want.LOCATIONS)) {
        case Claim claim -> tasks.add(() -> locate(slice, claim, claims));
        case Present present ->
            known.add(
                new Answer(
                    slice, dataset.format().defined(present.state().chunk(), slice.elements())));
        case Known there ->
            known.add(new Answer(slice, there.defined().intersect(slice.elements())));
        case Awaited other -> {
          awaited.add(other);
          others.add(slice);
        }
      }
    }

    private Optional<ChunkSlice> locate(ChunkSlice slice, Claim claim, Claims claims) {
      Optional<RunSet> defined = store.locate(dataset.key(claim.entry().number()));
      defined.ifPresent(elements -> {
        counters.located.increment();
        claims.located(claim, elements);
        request.found().take(slice, elements.intersect(slice.elements()));
      });
      return defined.isPresent() ? Optional.empty() : Optional.of(slice);
    }

    /**
     * Reports the known results and waits for the claims of other threads. Called after the claims
     * of this thread have ended.
     *
     * @return the slices whose chunks other threads had claimed, to be looked up again
     */
    List<ChunkSlice> takeOthers() {
      tell(known, request);
      for (Awaited other : awaited) {
        try {
          var unused = other.state().await();
        } catch (InterruptedException e) {
          throw new RequestInterruptedException(
              "interrupted while another request loaded a chunk: dataset=" + dataset, e);
        }
      }
      return others;
    }
  }
}
