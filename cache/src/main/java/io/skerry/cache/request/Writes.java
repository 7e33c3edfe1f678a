package io.skerry.cache.request;

import io.skerry.cache.api.ChunkChange;
import io.skerry.cache.api.ChunkChange.Coverage;
import io.skerry.cache.api.WorkerPool;
import io.skerry.cache.eviction.Evictor;
import io.skerry.cache.eviction.Limits;
import io.skerry.cache.eviction.Reservations.Room;
import io.skerry.cache.eviction.Storer.Patience;
import io.skerry.cache.request.WriteBatch.Item;
import io.skerry.cache.scheduling.Admission;
import io.skerry.cache.scheduling.Admission.Grant;
import io.skerry.cache.scheduling.RequestOrder.Kind;
import io.skerry.cache.scheduling.RequestOrder.Ticket;
import io.skerry.cache.table.Counters;
import io.skerry.cache.table.Ledger;
import io.skerry.cache.table.Saturating;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Serves writes and erasures: loads the chunks on which changes are based, computes new versions on
 * workers, and publishes the versions of all datasets once all of them have been computed. A write
 * larger than the cache is executed in parts, and completed parts remain written. Any other write
 * that fails while it reads or computes has no effect.
 */
public final class Writes {
  private static final Runnable NOTHING = () -> {};

  private final Limits limits;
  private final Admission admission;
  private final Ledger ledger;
  private final Evictor evictor;
  private final Loader loader;
  private final WorkerPool workers;
  private final Counters counters;

  public Writes(
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

  /** Applies changes to several datasets, each of which may occur only once. */
  public void write(List<ChangeRequest> requests) {
    List<ChangeRequest> ordered = new ArrayList<>(requests);
    // The datasets are sorted by address, so that two writes never wait for each other.
    ordered.sort(Comparator.comparing(request -> request.dataset().id(), Long::compareUnsigned));
    List<Ticket> tickets = new ArrayList<>();
    try {
      for (ChangeRequest request : ordered) {
        tickets.add(request.dataset().requests().enter(request.selection(), Kind.WRITE));
      }
      apply(ordered, NOTHING);
    } finally {
      tickets.reversed().forEach(Ticket::close);
      evictor.trimAfterwards();
    }
  }

  /**
   * Applies changes for a caller that already holds the tickets.
   *
   * @param beforePublication the action that runs once, after the first versions to be published
   *     together have been computed and before any of them is published; if it fails, no version is
   *     published
   */
  public void writeHolding(List<ChangeRequest> requests, Runnable beforePublication) {
    try {
      apply(requests, beforePublication);
    } finally {
      evictor.trimAfterwards();
    }
  }

  private void apply(List<ChangeRequest> requests, Runnable beforePublication) {
    List<Item> items = new ArrayList<>();
    List<MemorySegment> memory = new ArrayList<>();
    long parts = 0;
    for (ChangeRequest request : requests) {
      memory.addAll(request.memory());
      for (ChunkChange change : request.changes()) {
        Item item = new Item(request.dataset(), change);
        items.add(item);
        parts += change.coverage() == Coverage.PART ? request.dataset().sizes().usual() : 0;
      }
    }
    if (items.isEmpty()) {
      beforePublication.run();
    } else {
      limits.partsOf(parts);
      apply(items, workers.crew(memory), beforePublication);
    }
  }

  private void apply(List<Item> items, WorkerPool.Crew crew, Runnable beforePublication) {
    long asked = 0;
    for (Item item : items) {
      asked = Saturating.sum(asked, item.mostBytes());
    }
    try (Grant grant = admission.admit(asked)) {
      int next = 0;
      while (next < items.size()) {
        int end = grant.isAlone() ? end(items, next, fit(grant)) : items.size();
        boolean first = next == 0;
        // Once the first part is complete, an interrupt must not end the wait for the store lock.
        Patience patience = first ? Patience.UNTIL_INTERRUPTED : Patience.TO_THE_END;
        apply(
            new WriteBatch(items.subList(next, end), ledger, evictor, loader),
            crew,
            patience,
            first ? beforePublication : NOTHING);
        next = end;
      }
    }
  }

  /** Returns the maximum size, in bytes, of a part of a request that is larger than the cache. */
  private long fit(Grant grant) {
    return Math.min(grant.bytes(), evictor.free());
  }

  /**
   * Returns the exclusive end of the next part: one item, and the items after it while their
   * estimated total size is at most {@code fit} bytes.
   */
  private static int end(List<Item> items, int begin, long fit) {
    int end = begin + 1;
    long left = fit - items.get(begin).mostBytes();
    while (end < items.size() && left >= items.get(end).mostBytes()) {
      left -= items.get(end).mostBytes();
      end++;
    }
    return end;
  }

  private void apply(
      WriteBatch batch, WorkerPool.Crew crew, Patience patience, Runnable beforePublication) {
    try (batch) {
      int pinned = batch.pin();
      counters.hits.add(pinned);
      counters.misses.add(batch.size() - pinned);
      try (Room room = evictor.makeRoom(batch.neededBytes(), batch.datasets(), patience)) {
        batch.load(room, crew);
        batch.make(crew);
        beforePublication.run();
        batch.publish(room);
      }
    }
  }
}
