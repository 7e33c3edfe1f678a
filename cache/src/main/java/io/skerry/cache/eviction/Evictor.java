package io.skerry.cache.eviction;

import io.skerry.cache.eviction.Reservations.Room;
import io.skerry.cache.eviction.Storer.Patience;
import io.skerry.cache.eviction.Victims.Reach;
import io.skerry.cache.jfr.CacheEvents;
import io.skerry.cache.table.ChunkState;
import io.skerry.cache.table.ChunkState.Clean;
import io.skerry.cache.table.ChunkState.Gone;
import io.skerry.cache.table.Counters;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.cache.table.Entry;
import io.skerry.cache.table.Entry.QueueStatus;
import io.skerry.cache.table.Ledger;
import io.skerry.cache.table.Recency;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Keeps the cache within its limits; {@link VictimSearch} chooses the chunks to evict.
 *
 * <p>An unstored chunk is stored before its eviction, together with other victims. The chunk stays
 * in the cache if storing fails or another thread writes to the chunk; other chunks are then tried.
 *
 * <p>The eviction lock guards the queues of chunks and datasets. It is held while victims are
 * chosen, but not while data is read, encoded or written, and hits do not wait for it. A thread
 * that must store victims chooses them after acquiring the store lock. A thread that waited for the
 * store lock therefore sees the result of the previous holder. The store lock is acquired before
 * the eviction lock.
 */
public final class Evictor {
  /**
   * Prefetched chunks are protected until their use, up to a total size of the quiescent limit
   * divided by this number.
   */
  private static final int MOST_EXPECTED = 8;

  private final ReentrantLock lock = new ReentrantLock();
  private final Reservations reservations = new Reservations();
  private final EvictionQueues queues;
  private final Ledger ledger;
  private final Recency recency;
  private final Limits limits;
  private final Storer storer;
  private final Counters counters;
  private final CacheEvents events;
  private final VictimSearch search;

  /** True if a thread relies on the holder of the store lock to check the limits again. */
  private final AtomicBoolean lookAgain = new AtomicBoolean();

  public Evictor(
      Ledger ledger,
      Recency recency,
      Limits limits,
      Storer storer,
      Counters counters,
      CacheEvents events) {
    this.ledger = ledger;
    this.recency = recency;
    this.limits = limits;
    this.storer = storer;
    this.counters = counters;
    this.events = events;
    this.queues = new EvictionQueues(ledger, limits);
    this.search = new VictimSearch(queues, ledger, limits, storer, counters);
    recency.whenFull(this::noteUses);
  }

  /** Applies recorded uses to the queues, unless another thread holds the eviction lock. */
  private void noteUses() {
    if (lock.tryLock()) {
      try {
        recency.makeSpace(queues::use);
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Frees memory for new chunks if possible; waits for a running store if necessary.
   *
   * @param bytes size of the new chunks in bytes
   * @param requesters the datasets of the new chunks
   * @param patience behavior if the thread is interrupted while it waits for the store lock
   * @return a reservation of the memory
   * @throws RuntimeException if memory is insufficient because a victim could not be stored; the
   *     victim stays in the cache
   */
  public Room makeRoom(long bytes, Collection<DatasetChunks> requesters, Patience patience) {
    Room room = reservations.reserve(bytes);
    boolean made = false;
    try {
      shrink(this::aboveActive, requesters, patience);
      made = true;
      return room;
    } finally {
      if (!made) {
        room.close();
      }
    }
  }

  /**
   * Frees memory for new chunks of one dataset.
   *
   * @throws RuntimeException if memory is insufficient because a victim could not be stored
   */
  public Room makeRoom(long bytes, DatasetChunks requester) {
    return makeRoom(bytes, List.of(requester), Patience.UNTIL_INTERRUPTED);
  }

  /**
   * Frees memory for new chunks if that is possible without storing chunks.
   *
   * @return a reservation of the memory; empty if evicting stored chunks does not free enough
   */
  public Optional<Room> findRoom(long bytes) {
    Room room = reservations.reserve(bytes);
    if (choose(this::aboveActive, Reach.STORED, List.of(), new StoreAttempts()).isFound()) {
      return Optional.of(room);
    }
    room.close();
    return Optional.empty();
  }

  /** Returns the number of bytes that could be loaded if all chunks were evicted. */
  public long free() {
    return Math.max(0, limits.active() - reservations.reserved());
  }

  /** Returns the number of bytes that could be loaded without eviction; may be negative. */
  long spare() {
    return -aboveActive();
  }

  /** Returns the size of the reservations of running loads and writes, in bytes. */
  public long reserved() {
    return reservations.reserved();
  }

  /**
   * Returns the number of prefetched chunks in the cache that have been neither used nor moved to
   * an eviction queue.
   */
  public int expected() {
    lock.lock();
    try {
      return queues.expected();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of chunks and datasets that all searches so far have examined. */
  public long looked() {
    lock.lock();
    try {
      return search.looked();
    } finally {
      lock.unlock();
    }
  }

  private long aboveActive() {
    return ledger.bytes() + reservations.reserved() - limits.active();
  }

  /**
   * Returns the number of bytes to evict after a request. The active limit is checked too, because
   * chunks that were added without a request may occupy memory reserved for requests.
   */
  private long aboveQuiescent() {
    return Math.max(ledger.bytes() - limits.quiescent(), aboveActive());
  }

  /**
   * Evicts chunks until the cache is within the quiescent limit or no more chunks can be evicted.
   *
   * @throws RuntimeException if the cache still exceeds the limit because a victim could not be
   *     stored; the victim stays in the cache
   */
  public void trim() {
    shrink(this::aboveQuiescent, List.of(), Patience.UNTIL_INTERRUPTED);
  }

  /**
   * Evicts chunks in excess of the quiescent limit after a request. A failure to store a chunk is
   * not reported, because it does not concern the request: the chunk stays in the cache, and a
   * thread that needs its memory or flushes it tries again.
   */
  public void trimAfterwards() {
    boolean again = aboveQuiescent() > 0;
    while (again) {
      if (choose(this::aboveQuiescent, Reach.NEXT, List.of(), new StoreAttempts()).isFound()
          || storer.isPausedHere()) {
        return;
      }
      lookAgain.set(true);
      Optional<Storer.Turn> turn = storer.tryTurn();
      if (turn.isEmpty()) {
        return;
      }
      try (var _ = turn.get()) {
        lookAgain.set(false);
        store(this::aboveQuiescent, List.of());
      } catch (RuntimeException e) {
        // The chunk stays in the cache; the next thread that evicts tries again.
      }
      // A thread that arrived just before the lock was released may rely on this thread's check.
      again = lookAgain.get();
    }
  }

  private void shrink(
      LongSupplier excess, Collection<DatasetChunks> requesters, Patience patience) {
    if (!choose(excess, Reach.NEXT, requesters, new StoreAttempts()).isFound()
        && !storer.isPausedHere()) {
      try (var _ = storer.turn(patience)) {
        store(excess, requesters);
      } finally {
        if (lookAgain.get()) {
          trimAfterwards();
        }
      }
    }
  }

  private Victims choose(
      LongSupplier excess,
      Reach reach,
      Collection<DatasetChunks> requesters,
      StoreAttempts attempts) {
    lock.lock();
    try {
      Victims victims = new Victims(excess.getAsLong(), reach, requesters, attempts);
      if (!victims.isFound()) {
        CacheEvents.Pass pass = events.evicting();
        GhostList.Total before = queues.departed();
        drain();
        search.find(victims);
        GhostList.Total gone = queues.departed().since(before);
        pass.done(gone.chunks(), gone.bytes(), 0);
      }
      return victims;
    } finally {
      lock.unlock();
    }
  }

  private void drain() {
    recency.drainTo(queues::use);
    queues.giveUpExpecting(limits.quiescent() / MOST_EXPECTED);
  }

  /**
   * Stores and evicts victims until the excess is gone or no victim is left. The caller holds the
   * store lock.
   */
  private void store(LongSupplier excess, Collection<DatasetChunks> requesters) {
    StoreAttempts attempts = new StoreAttempts();
    Victims victims = choose(excess, Reach.ALL, requesters, attempts);
    while (!victims.unstored().isEmpty()) {
      try {
        store(victims.unstored());
        attempts.stored(victims.unstored());
      } catch (RuntimeException | OutOfMemoryError e) {
        attempts.failed(victims.unstored(), e);
      }
      victims = choose(excess, attempts.isOver() ? Reach.STORED : Reach.ALL, requesters, attempts);
    }
    if (!victims.isFound() && attempts.failure().isPresent()) {
      throw attempts.failure().get();
    }
  }

  /** Stores victims and evicts those that are neither pinned nor written in the meantime. */
  private void store(List<Entry> victims) {
    CacheEvents.Pass pass = events.evicting();
    List<Storer.Stored> stored = List.of();
    try {
      stored = storer.store(victims);
    } finally {
      lock.lock();
      try {
        GhostList.Total before = queues.departed();
        stored.forEach(this::goOrStay);
        GhostList.Total gone = queues.departed().since(before);
        pass.done(gone.chunks(), gone.bytes(), stored.size());
        victims.reversed().forEach(queues::settle);
        queues.stayed(
            stored.stream()
                .map(Storer.Stored::entry)
                .filter(entry -> !(entry.state() instanceof Gone))
                .toList(),
            gone.bytes());
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Evicts a stored version, or marks it as clean if its chunk is pinned. The version may have been
   * encoded in the meantime; it counts as stored nevertheless.
   */
  private void goOrStay(Storer.Stored stored) {
    Entry entry = stored.entry();
    ChunkState seen = entry.state();
    while (stored.isVersionOf(seen)) {
      // The pins must be checked after the state is read; see Entry.
      boolean wanted = entry.isPinned();
      ChunkState next = wanted ? new Clean(stored.state().chunk()) : Gone.INSTANCE;
      if (ledger.change(entry, seen, next)) {
        if (!wanted) {
          queues.depart(entry, entry.bytes() + seen.bytes());
          counters.evictions.increment();
        }
        return;
      }
      seen = entry.state();
    }
  }

  /** Adds entries of loaded or new chunks; the last one is the most recently used. */
  public void arrived(List<Entry> entries) {
    lock.lock();
    try {
      // Earlier uses are processed first; otherwise they would count as later than these arrivals.
      recency.drainTo(queues::use);
      entries.forEach(queues::arrive);
    } finally {
      lock.unlock();
    }
  }

  /** Adds entries of prefetched chunks. */
  public void expected(List<Entry> entries) {
    lock.lock();
    try {
      recency.drainTo(queues::use);
      entries.forEach(queues::expect);
    } finally {
      lock.unlock();
    }
  }

  /** Queues the entry of a chunk that a flush has stored, unless the entry is already queued. */
  public void stored(Entry entry) {
    lock.lock();
    try {
      if (entry.queueStatus() == QueueStatus.OUTSIDE) {
        queues.arrive(entry);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Removes an entry that left the cache for a reason other than eviction. */
  public void left(Entry entry) {
    lock.lock();
    try {
      queues.leave(entry);
    } finally {
      lock.unlock();
    }
  }

  /** Removes a dataset that leaves the cache. All of its chunks must already have been removed. */
  public void left(DatasetChunks dataset) {
    lock.lock();
    try {
      queues.leave(dataset);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns unstored chunks that are not encoded yet and will soon be evicted, the next victim
   * first.
   *
   * @param most maximum number of chunks
   */
  List<Entry> nextDirty(int most) {
    lock.lock();
    try {
      drain();
      return search.nextDirty(most);
    } finally {
      lock.unlock();
    }
  }
}
