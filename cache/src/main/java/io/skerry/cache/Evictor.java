package io.skerry.cache;

import io.skerry.cache.ChunkState.Gone;
import io.skerry.cache.ChunkState.Loading;
import io.skerry.cache.ChunkState.Unstored;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the cache within its limits, in two stages: the least recently used dataset gives first,
 * and within it the chunks that the policy names. A dataset that is down to its minimum is
 * exhausted and gives no more, unless all are and there still is not room enough. Of the chunks
 * that are next to go, those that were used as a whole go before those of which a part was: these
 * get a second pass.
 *
 * <p>A chunk that is not stored is stored first, with others that go at the same time. If that
 * fails, or somebody writes to it meanwhile, it stays. The last chunk there is stays too, however
 * large it is: who reads a chunk piece by piece gets it loaded once.
 *
 * <p>One lock guards the orders. It is held while victims are chosen, never while anything is read,
 * encoded or written, and no hit takes it.
 *
 * <p>Source: the shared chunk cache design of 2025, section 4.2.
 */
final class Evictor {
  /** Bytes of victims that are encoded and stored at a time. */
  private static final long BATCH = 32L << 20;

  private final ReentrantLock lock = new ReentrantLock();
  private final Ledger ledger;
  private final Recency recency;
  private final Limits limits;
  private final Storer storer;
  private final Counters counters;

  /** Datasets with chunks, the least recently used first; guarded by the lock. */
  private final LinkedHashMap<Long, DatasetChunks> byUse = new LinkedHashMap<>(16, 0.75f, true);

  /** Bytes that loads and writes under way will take; guarded by the lock. */
  private long reserved;

  Evictor(Ledger ledger, Recency recency, Limits limits, Storer storer, Counters counters) {
    this.ledger = ledger;
    this.recency = recency;
    this.limits = limits;
    this.storer = storer;
    this.counters = counters;
  }

  /** Room for chunks that are about to come; what came of it counts for itself from its arrival. */
  final class Room implements AutoCloseable {
    private final long bytes;

    private Room(long bytes) {
      this.bytes = bytes;
    }

    @Override
    public void close() {
      lock.lock();
      try {
        reserved -= bytes;
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Makes room.
   *
   * @throws RuntimeException if a victim could not be stored; it is still there
   */
  Room makeRoom(long bytes) {
    lock.lock();
    try {
      reserved += bytes;
    } finally {
      lock.unlock();
    }
    Room room = new Room(bytes);
    boolean made = false;
    try {
      shrinkTo(limits.active());
      made = true;
      return room;
    } finally {
      if (!made) {
        room.close();
      }
    }
  }

  /** Bytes that could be loaded at once, if everything were evicted that may be. */
  long free() {
    lock.lock();
    try {
      return Math.max(0, limits.active() - reserved);
    } finally {
      lock.unlock();
    }
  }

  /** Evicts what is too much between requests. */
  void trim() {
    if (ledger.bytes() > limits.quiescent()) {
      shrinkTo(limits.quiescent());
    }
  }

  /** Takes in entries whose chunks have come, the last as the most recent. */
  void arrived(List<Entry> entries) {
    lock.lock();
    try {
      for (Entry entry : entries) {
        if (!(entry.state() instanceof Gone)) {
          boolean evictedLately = entry.dataset().order().wasEvictedLately(entry.number());
          if (evictedLately) {
            limits.loadedAgain(entry.bytes());
          } else {
            limits.loaded(entry.bytes());
          }
          entry.dataset().order().add(entry);
          byUse.put(entry.dataset().id(), entry.dataset());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** An entry has left for other reasons. */
  void left(Entry entry) {
    lock.lock();
    try {
      entry.dataset().order().remove(entry);
    } finally {
      lock.unlock();
    }
  }

  /** A dataset has left. */
  void left(DatasetChunks dataset) {
    lock.lock();
    try {
      byUse.remove(dataset.id());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Chunks that will go soon and are not stored, the next first.
   *
   * @param most how many
   */
  List<Entry> nextUnstored(int most) {
    lock.lock();
    try {
      drain();
      List<Entry> found = new ArrayList<>();
      for (DatasetChunks dataset : byUse.values()) {
        List<Entry> looked = new ArrayList<>();
        while (looked.size() < 4 * most && found.size() < most) {
          Optional<Entry> next = dataset.order().nominate();
          if (next.isEmpty()) {
            break;
          }
          looked.add(next.get());
          if (next.get().state() instanceof ChunkState.Dirty) {
            found.add(next.get());
          }
        }
        restore(looked);
      }
      return found;
    } finally {
      lock.unlock();
    }
  }

  private void shrinkTo(long limit) {
    while (true) {
      Victims victims;
      lock.lock();
      try {
        long excess = ledger.bytes() + reserved - limit;
        if (excess <= 0) {
          return;
        }
        drain();
        victims = new Victims(excess);
        choose(victims, Minimum.KEPT);
        if (victims.missing() > 0) {
          choose(victims, Minimum.GIVEN_UP);
        }
      } finally {
        lock.unlock();
      }
      if (victims.unstored.isEmpty() || !store(victims.unstored)) {
        return;
      }
    }
  }

  private void drain() {
    recency.drainTo(entry -> {
      DatasetChunks dataset = entry.dataset();
      dataset.order().resized(entry, 0);
      dataset.order().use(entry);
      // The access moves it to the end.
      byUse.get(dataset.id());
    });
  }

  /** Whether a dataset keeps its minimum. */
  private enum Minimum {
    KEPT,
    GIVEN_UP
  }

  /** What was chosen so far. */
  private static final class Victims {
    private final List<Entry> unstored = new ArrayList<>();
    private long missing;
    private long toStore;

    Victims(long excess) {
      this.missing = excess;
    }

    long missing() {
      return missing;
    }

    boolean isEnough() {
      return missing <= 0 || toStore >= BATCH;
    }
  }

  private void choose(Victims victims, Minimum minimum) {
    long share = limits.quiescent() / Math.max(1, byUse.size());
    long kept = minimum == Minimum.KEPT ? Math.min(limits.options().datasetMinimum(), share) : 0;
    for (Map.Entry<Long, DatasetChunks> dataset : List.copyOf(byUse.entrySet())) {
      if (victims.isEnough()) {
        return;
      }
      chooseFrom(dataset.getValue(), kept, victims);
    }
  }

  private void chooseFrom(DatasetChunks dataset, long kept, Victims victims) {
    long others = ledger.bytes() - dataset.bytes();
    dataset.order().capacity(Math.max(kept, limits.quiescent() - others));
    List<Entry> spared = new ArrayList<>();
    List<Entry> secondPass = new ArrayList<>();
    long left = dataset.bytes();
    int preferred = (int) Math.ceil(limits.options().preemption() * dataset.order().size());
    while (!victims.isEnough() && left > kept) {
      boolean first = preferred-- > 0;
      Optional<Entry> next = first ? dataset.order().nominate() : next(secondPass, dataset);
      if (next.isEmpty() && secondPass.isEmpty()) {
        break;
      }
      if (next.isEmpty()) {
        preferred = 0;
      } else if (first && next.get().isPartial()) {
        secondPass.add(next.get());
      } else if (left - next.get().bytes() < kept) {
        spared.add(next.get());
        break;
      } else {
        left -= take(next.get(), victims, spared);
      }
    }
    spared.addAll(secondPass);
    restore(spared);
  }

  private static Optional<Entry> next(List<Entry> secondPass, DatasetChunks dataset) {
    return secondPass.isEmpty()
        ? dataset.order().nominate()
        : Optional.of(secondPass.removeFirst());
  }

  /**
   * Evicts an entry that was nominated, or puts it to those that have to be stored first.
   *
   * @return bytes that this will free
   */
  private long take(Entry entry, Victims victims, List<Entry> spared) {
    ChunkState seen = entry.state();
    long bytes = Entry.OVERHEAD + seen.bytes();
    switch (seen) {
      case Gone _ -> entry.dataset().order().evicted(entry);
      case Loading _ -> spared.add(entry);
      case Unstored _ -> {
        if (!storer.storesAnyTime(entry.dataset())) {
          spared.add(entry);
          return 0;
        }
        victims.unstored.add(entry);
        victims.toStore += bytes;
        victims.missing -= bytes;
        return bytes;
      }
      case ChunkState.Clean _, ChunkState.Located _ -> {
        if (isLast(entry)) {
          spared.add(entry);
        } else if (ledger.change(entry, seen, Gone.INSTANCE)) {
          entry.dataset().order().evicted(entry);
          counters.evictions.increment();
          victims.missing -= bytes;
          return bytes;
        } else {
          // Somebody has just written to it.
          spared.add(entry);
        }
      }
    }
    return 0;
  }

  /** Whether nothing else is there; a cache that is to keep nothing has no last one. */
  private boolean isLast(Entry entry) {
    return limits.quiescent() > 0
        && ledger.bytes() <= entry.bytes()
        && entry.isPartial()
        && reserved == 0;
  }

  private static void restore(List<Entry> entries) {
    for (Entry entry : entries.reversed()) {
      entry.dataset().order().restore(entry);
    }
  }

  /**
   * Stores victims and lets those go that nobody has written to meanwhile.
   *
   * @return whether any has gone
   */
  private boolean store(List<Entry> victims) {
    boolean gone = false;
    List<Storer.Stored> stored = List.of();
    try {
      stored = storer.store(victims);
    } finally {
      lock.lock();
      try {
        for (Storer.Stored one : stored) {
          if (ledger.change(one.entry(), one.stored(), Gone.INSTANCE)) {
            gone = true;
            counters.evictions.increment();
          }
        }
        for (Entry entry : victims.reversed()) {
          if (entry.state() instanceof Gone) {
            entry.dataset().order().evicted(entry);
          } else {
            entry.dataset().order().restore(entry);
          }
        }
      } finally {
        lock.unlock();
      }
    }
    return gone;
  }
}
