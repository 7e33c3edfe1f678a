package io.skerry.cache;

import io.skerry.cache.ChunkState.Gone;
import io.skerry.cache.ChunkState.Held;
import io.skerry.cache.ChunkState.Located;
import io.skerry.cache.RequestOrder.Kind;
import io.skerry.chunk.ChunkFormat;
import io.skerry.chunk.space.ChunkSlice;
import io.skerry.chunk.space.RunSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Says which elements are defined. Of a chunk that is not in memory only the section is read that
 * tells, and what it says is kept; who asks for the values later has the chunk loaded.
 */
final class Definitions {
  private final ChunkStore store;
  private final Ledger ledger;
  private final Evictor evictor;
  private final Reads reads;
  private final WorkerPool workers;
  private final Counters counters;

  Definitions(
      ChunkStore store,
      Ledger ledger,
      Evictor evictor,
      Reads reads,
      WorkerPool workers,
      Counters counters) {
    this.store = store;
    this.ledger = ledger;
    this.evictor = evictor;
    this.reads = reads;
    this.workers = workers;
    this.counters = counters;
  }

  /** What is known of a slice. */
  private record Known(ChunkSlice slice, RunSet defined) {}

  void defined(DefinedRequest request) {
    DatasetChunks dataset = request.dataset();
    long stamp = dataset.requests().stamp();
    List<Known> known = new ArrayList<>();
    List<ChunkSlice> unknown = look(dataset, request.slices(), known);
    if (unknown.isEmpty() && dataset.requests().validate(stamp)) {
      counters.hits.add(known.size());
      tell(known, request);
      return;
    }
    try (var _ = dataset.requests().enter(request.selection(), Kind.READ)) {
      definedHolding(request);
    }
  }

  /** The same for a caller that holds a ticket. */
  void definedHolding(DefinedRequest request) {
    try {
      List<Known> known = new ArrayList<>();
      List<ChunkSlice> missing = look(request.dataset(), request.slices(), known);
      counters.hits.add(known.size());
      counters.misses.add(missing.size());
      tell(known, request);
      locate(request, missing);
    } finally {
      evictor.trim();
    }
  }

  private static void tell(List<Known> known, DefinedRequest request) {
    known.forEach(one -> request.found().take(one.slice(), one.defined()));
  }

  /** Sorts what is known from what is not, which it returns. */
  private static List<ChunkSlice> look(
      DatasetChunks dataset, List<ChunkSlice> slices, List<Known> known) {
    ChunkFormat format = dataset.format();
    List<ChunkSlice> unknown = new ArrayList<>();
    for (ChunkSlice slice : slices) {
      long number = dataset.numbers().number(slice.scaled());
      Entry entry = dataset.chunks().get(number);
      switch (entry.state()) {
        case Held held -> {
          dataset.used(entry);
          known.add(new Known(slice, format.defined(held.chunk(), slice.elements())));
        }
        case Located(RunSet defined) -> {
          dataset.used(entry);
          known.add(new Known(slice, defined.intersect(slice.elements())));
        }
        case ChunkState.Loading _, Gone _ -> unknown.add(slice);
      }
    }
    return unknown;
  }

  private void locate(DefinedRequest request, List<ChunkSlice> missing) {
    DatasetChunks dataset = request.dataset();
    List<Callable<Optional<ChunkSlice>>> tasks = new ArrayList<>();
    List<Entry> entered = new ArrayList<>();
    for (ChunkSlice slice : missing) {
      tasks.add(() -> {
        long number = dataset.numbers().number(slice.scaled());
        Optional<RunSet> defined = store.locate(dataset.key(number));
        defined.ifPresent(elements -> {
          counters.located.increment();
          keep(dataset, number, elements, entered);
          request.found().take(slice, elements.intersect(slice.elements()));
        });
        return defined.isPresent() ? Optional.empty() : Optional.of(slice);
      });
    }
    List<ChunkSlice> toLoad = new ArrayList<>();
    try {
      workers.runAll(tasks).forEach(left -> left.ifPresent(toLoad::add));
    } finally {
      evictor.arrived(entered);
    }
    reads.loadFor(request, toLoad);
  }

  /** Not if the chunk has come meanwhile, or is coming. */
  private void keep(DatasetChunks dataset, long number, RunSet defined, List<Entry> entered) {
    Entry entry = new Entry(dataset, number, new Located(defined));
    if (ledger.enter(entry) == entry) {
      synchronized (entered) {
        entered.add(entry);
      }
    }
  }
}
