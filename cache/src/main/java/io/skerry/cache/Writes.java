package io.skerry.cache;

import io.skerry.cache.ChunkChange.Base;
import io.skerry.cache.ChunkChange.Coverage;
import io.skerry.cache.ChunkChange.WhenSame;
import io.skerry.cache.ChunkState.Dirty;
import io.skerry.cache.ChunkState.Gone;
import io.skerry.cache.ChunkState.Held;
import io.skerry.cache.ChunkState.Loading;
import io.skerry.cache.ChunkState.Located;
import io.skerry.cache.RequestOrder.Kind;
import io.skerry.cache.RequestOrder.Ticket;
import io.skerry.chunk.MemoryChunk;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Serves writes and erasures: loads what is not overwritten as a whole, makes new versions in the
 * workers, and publishes them when all are made. So a write that fails while it reads or computes
 * has changed nothing, unless it is larger than the cache: then it goes part by part, and parts
 * that are done stay.
 */
final class Writes {
  private final Limits limits;
  private final Admission admission;
  private final Ledger ledger;
  private final Evictor evictor;
  private final Loader loader;
  private final WorkerPool workers;
  private final Counters counters;

  Writes(
      Limits limits,
      Admission admission,
      Ledger ledger,
      Evictor evictor,
      Loader loader,
      WorkerPool workers,
      Counters counters) {
    this.limits = limits;
    this.admission = admission;
    this.ledger = ledger;
    this.evictor = evictor;
    this.loader = loader;
    this.workers = workers;
    this.counters = counters;
  }

  /** What a change makes of a version. */
  private record Made(ChunkChange change, long number, Optional<MemoryChunk> from, MemoryChunk to) {
    /** What to publish over a version. */
    MemoryChunk over(MemoryChunk present) {
      boolean holds =
          change.base() == Base.REPLACED || from.isPresent() && isSame(from.get(), present);
      return holds ? to : change.apply(present);
    }
  }

  /** Applies changes of several datasets; none of them may be named twice. */
  void write(List<ChangeRequest> requests) {
    List<ChangeRequest> ordered = new ArrayList<>(requests);
    // In the order of addresses, so that two writes never wait for each other.
    ordered.sort(Comparator.comparingLong(request -> request.dataset().id()));
    List<Ticket> tickets = new ArrayList<>();
    try {
      for (ChangeRequest request : ordered) {
        tickets.add(request.dataset().requests().enter(request.selection(), Kind.WRITE));
      }
      ordered.forEach(this::apply);
    } finally {
      tickets.reversed().forEach(Ticket::close);
      evictor.trim();
    }
  }

  /** The same for a caller that holds the tickets. */
  void writeHolding(List<ChangeRequest> requests) {
    try {
      requests.forEach(this::apply);
    } finally {
      evictor.trim();
    }
  }

  private void apply(ChangeRequest request) {
    if (request.changes().isEmpty()) {
      return;
    }
    DatasetChunks dataset = request.dataset();
    long each = dataset.expectedBytes();
    int count = request.changes().size();
    long parts =
        request.changes().stream().filter(change -> change.coverage() == Coverage.PART).count();
    limits.partsOf(parts * each);
    admission.limit(limits.active());
    try (var _ = admission.admit(count * each)) {
      int next = 0;
      while (next < count) {
        long fit = Math.max(1, evictor.free() / each);
        int end = (int) Math.min(count, next + fit);
        try (var _ = evictor.makeRoom((end - next) * each)) {
          applyBatch(dataset, request.changes().subList(next, end), request);
        }
        next = end;
      }
    }
  }

  private void applyBatch(
      DatasetChunks dataset, List<? extends ChunkChange> changes, ChangeRequest request) {
    List<Long> toLoad = new ArrayList<>();
    int held = 0;
    for (ChunkChange change : changes) {
      long number = dataset.number(change.chunk());
      if (dataset.isHeld(number)) {
        held++;
      } else if (change.base() == Base.PRESENT) {
        toLoad.add(number);
      }
    }
    counters.hits.add(held);
    counters.misses.add(changes.size() - held);
    WorkerPool.Crew crew = workers.crew(request.memory());
    loader.load(dataset, toLoad, crew, (_, _) -> {});
    List<Callable<Made>> tasks = new ArrayList<>();
    changes.forEach(change -> tasks.add(() -> make(dataset, change)));
    List<Entry> entered = new ArrayList<>();
    try {
      crew.runAll(tasks).forEach(made -> publish(dataset, made, entered));
    } finally {
      evictor.arrived(entered);
    }
  }

  private Made make(DatasetChunks dataset, ChunkChange change) {
    long number = dataset.number(change.chunk());
    if (change.base() == Base.REPLACED) {
      return new Made(change, number, Optional.empty(), change.apply(dataset.fresh()));
    }
    MemoryChunk present = present(dataset, number);
    return new Made(change, number, Optional.of(present), change.apply(present));
  }

  /** The present version, loaded again if it was evicted since. */
  private MemoryChunk present(DatasetChunks dataset, long number) {
    Optional<MemoryChunk> held = dataset.find(number);
    if (held.isPresent()) {
      return held.get();
    }
    List<MemoryChunk> loaded = new ArrayList<>(1);
    loader.load(dataset, List.of(number), workers.crew(List.of()), (_, chunk) -> loaded.add(chunk));
    return loaded.getFirst();
  }

  private void publish(DatasetChunks dataset, Made made, List<Entry> entered) {
    boolean replaces = made.change().base() == Base.REPLACED;
    while (true) {
      Entry entry = dataset.chunks().get(made.number());
      ChunkState seen = entry.state();
      switch (seen) {
        case Held held -> {
          MemoryChunk next = made.over(held.chunk());
          boolean stays = isSame(next, held.chunk()) && made.change().whenSame() == WhenSame.LEFT;
          if (stays || ledger.change(entry, held, new Dirty(next))) {
            note(dataset, made);
            return;
          }
        }
        case Loading loading -> awaitUninterrupted(loading);
        case Located located -> {
          if (!replaces) {
            var unused = present(dataset, made.number());
          } else if (ledger.change(entry, located, new Dirty(made.to()))) {
            note(dataset, made);
            return;
          }
        }
        case Gone _ -> {
          if (!replaces) {
            var unused = present(dataset, made.number());
          } else {
            Entry mine = new Entry(dataset, made.number(), new Dirty(made.to()));
            if (ledger.enter(mine) == mine) {
              entered.add(mine);
              note(dataset, made);
              return;
            }
          }
        }
      }
    }
  }

  /** Versions are told apart by what they are, not by what is in them. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(MemoryChunk one, MemoryChunk other) {
    return one == other;
  }

  private static void note(DatasetChunks dataset, Made made) {
    if (made.change().coverage() == Coverage.PART) {
      dataset.usedInPart(made.number());
    } else {
      dataset.used(made.number());
    }
  }

  /** Other parts of this write are published already: it has to end. */
  private static void awaitUninterrupted(Loading loading) {
    boolean interrupted = false;
    while (true) {
      try {
        loading.ended().await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
