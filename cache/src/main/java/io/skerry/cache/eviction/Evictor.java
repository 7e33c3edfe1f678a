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
import io.skerry.cache.table.Entry.Standing;
import io.skerry.cache.table.Ledger;
import io.skerry.cache.table.Recency;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Keeps the cache within its limits. Which chunks go is the business of {@link VictimSearch}.
 *
 * <p>A chunk that is not stored is stored first, with others that go at the same time. If that
 * fails, or somebody writes to it meanwhile, it stays, and others are tried.
 *
 * <p>One lock guards the lines of chunks and datasets. It is held while victims are chosen, never
 * while anything is read, encoded or written, and no hit waits for it. Who has to store victims
 * chooses them when it is his turn to store: whoever waits for his turn finds what the one before
 * has left, and so no two store, or evict, for the same excess. The turn to store comes before the
 * lock.
 */
public final class Evictor {
  /** What was loaded ahead and not asked for may have one part in so many. */
  private static final int MOST_EXPECTED = 8;

  private final ReentrantLock lock = new ReentrantLock();
  private final Reservations rooms = new Reservations();
  private final EvictionQueues lines;
  private final Ledger ledger;
  private final Recency recency;
  private final Limits limits;
  private final Storer storer;
  private final Counters counters;
  private final CacheEvents events;
  private final VictimSearch search;

  /** Whether somebody left it to the one whose turn it was to look again. */
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
    this.lines = new EvictionQueues(ledger, limits);
    this.search = new VictimSearch(lines, ledger, limits, storer, counters);
    recency.whenFull(this::noteUses);
  }

  /** Takes in uses for which there is no more space, unless somebody chooses victims just now. */
  private void noteUses() {
    if (lock.tryLock()) {
      try {
        recency.makeSpace(lines::use);
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Makes room, and waits for whoever is just storing if there is no other way.
   *
   * @param askers the datasets whose chunks are to come
   * @param patience with whoever is storing
   * @throws RuntimeException if there is not enough because a victim could not be stored; it is
   *     still there
   */
  public Room makeRoom(long bytes, Collection<DatasetChunks> askers, Patience patience) {
    Room room = rooms.reserve(bytes);
    boolean made = false;
    try {
      shrink(this::aboveActive, askers, patience);
      made = true;
      return room;
    } finally {
      if (!made) {
        room.close();
      }
    }
  }

  /**
   * The same for one dataset.
   *
   * @throws RuntimeException as for several
   */
  public Room makeRoom(long bytes, DatasetChunks asker) {
    return makeRoom(bytes, List.of(asker), Patience.UNTIL_INTERRUPTED);
  }

  /** Makes room if that takes no storing. */
  public Optional<Room> findRoom(long bytes) {
    Room room = rooms.reserve(bytes);
    if (choose(this::aboveActive, Reach.STORED, List.of(), new StoreAttempts()).isFound()) {
      return Optional.of(room);
    }
    room.close();
    return Optional.empty();
  }

  /** Bytes that could be loaded at once, if everything were evicted that may be. */
  public long free() {
    return Math.max(0, limits.active() - rooms.reserved());
  }

  /** Bytes that could come without anything being evicted. */
  long spare() {
    return -aboveActive();
  }

  /** Bytes that loads and writes under way may still take. */
  public long reserved() {
    return rooms.reserved();
  }

  /** Chunks that were loaded ahead and not asked for. */
  public int expected() {
    lock.lock();
    try {
      return lines.expected();
    } finally {
      lock.unlock();
    }
  }

  /** Chunks and datasets that were looked at so far. */
  public long looked() {
    lock.lock();
    try {
      return search.looked();
    } finally {
      lock.unlock();
    }
  }

  private long aboveActive() {
    return ledger.bytes() + rooms.reserved() - limits.active();
  }

  /** Also what has come past requests and takes the room of others. */
  private long aboveQuiescent() {
    return Math.max(ledger.bytes() - limits.quiescent(), aboveActive());
  }

  /**
   * Evicts what is too much between requests.
   *
   * @throws RuntimeException if there is still too much because a victim could not be stored; it is
   *     still there
   */
  public void trim() {
    shrink(this::aboveQuiescent, List.of(), Patience.UNTIL_INTERRUPTED);
  }

  /**
   * The same after a request, whose business it is not if that fails: what is in the way stays, and
   * who needs its room or flushes is told. If somebody is just storing he does it.
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
        // It is not lost, and is tried again by whoever has something to evict next.
      }
      // Who came just before the turn ended has gone away.
      again = lookAgain.get();
    }
  }

  private void shrink(LongSupplier excess, Collection<DatasetChunks> askers, Patience patience) {
    if (!choose(excess, Reach.NEXT, askers, new StoreAttempts()).isFound()
        && !storer.isPausedHere()) {
      try (var _ = storer.turn(patience)) {
        store(excess, askers);
      } finally {
        if (lookAgain.get()) {
          trimAfterwards();
        }
      }
    }
  }

  private Victims choose(
      LongSupplier excess, Reach reach, Collection<DatasetChunks> askers, StoreAttempts attempts) {
    lock.lock();
    try {
      Victims victims = new Victims(excess.getAsLong(), reach, askers, attempts);
      if (!victims.isFound()) {
        CacheEvents.Pass pass = events.evicting();
        GhostList.Total before = lines.departed();
        drain();
        search.find(victims);
        GhostList.Total gone = lines.departed().since(before);
        pass.done(gone.chunks(), gone.bytes(), 0);
      }
      return victims;
    } finally {
      lock.unlock();
    }
  }

  private void drain() {
    recency.drainTo(lines::use);
    lines.giveUpExpecting(limits.quiescent() / MOST_EXPECTED);
  }

  /** Stores and evicts, each chunk at most once. For whom it is the turn to store. */
  private void store(LongSupplier excess, Collection<DatasetChunks> askers) {
    StoreAttempts attempts = new StoreAttempts();
    Victims victims = choose(excess, Reach.ALL, askers, attempts);
    while (!victims.unstored().isEmpty()) {
      try {
        store(victims.unstored());
        attempts.stored(victims.unstored());
      } catch (RuntimeException e) {
        attempts.failed(victims.unstored(), e);
      }
      victims = choose(excess, attempts.isOver() ? Reach.STORED : Reach.ALL, askers, attempts);
    }
    if (!victims.isFound() && attempts.failure().isPresent()) {
      throw attempts.failure().get();
    }
  }

  /** Stores victims and lets those go that nobody writes to. */
  private void store(List<Entry> victims) {
    CacheEvents.Pass pass = events.evicting();
    List<Storer.Stored> stored = List.of();
    try {
      stored = storer.store(victims);
    } finally {
      lock.lock();
      try {
        GhostList.Total before = lines.departed();
        stored.forEach(this::goOrStay);
        GhostList.Total gone = lines.departed().since(before);
        pass.done(gone.chunks(), gone.bytes(), stored.size());
        for (Entry entry : victims.reversed()) {
          DatasetChunks dataset = entry.dataset();
          if (isGone(entry)) {
            dataset.line().evicted(entry);
          } else {
            dataset.line().restore(List.of(entry));
            lines.datasets().back(dataset);
          }
        }
        lines.stayed(
            stored.stream().map(Storer.Stored::entry).filter(e -> !isGone(e)).toList(),
            gone.bytes());
      } finally {
        lock.unlock();
      }
    }
  }

  private static boolean isGone(Entry entry) {
    return entry.state() instanceof Gone;
  }

  /**
   * The version may have got an image since, or a writer who holds it; it is stored all the same.
   */
  private void goOrStay(Storer.Stored stored) {
    Entry entry = stored.entry();
    ChunkState seen = entry.state();
    while (stored.isVersionOf(seen)) {
      // After the state: see Entry.
      boolean wanted = entry.isPinned();
      ChunkState next = wanted ? new Clean(stored.state().chunk()) : Gone.INSTANCE;
      if (ledger.change(entry, seen, next)) {
        if (!wanted) {
          lines.depart(entry, entry.bytes() + seen.bytes());
          counters.evictions.increment();
        }
        return;
      }
      seen = entry.state();
    }
  }

  /** Takes in entries whose chunks have come, the last as the most recent. */
  public void arrived(List<Entry> entries) {
    lock.lock();
    try {
      // Uses come first that were before: else a newcomer would be the least recently used.
      recency.drainTo(lines::use);
      entries.forEach(lines::arrive);
    } finally {
      lock.unlock();
    }
  }

  /** The same for chunks that nobody has asked for yet. */
  public void expected(List<Entry> entries) {
    lock.lock();
    try {
      recency.drainTo(lines::use);
      entries.forEach(lines::expect);
    } finally {
      lock.unlock();
    }
  }

  /** Takes an entry in again that had left because others were to store it. */
  public void stored(Entry entry) {
    lock.lock();
    try {
      if (entry.standing() == Standing.OUTSIDE) {
        lines.arrive(entry);
      }
    } finally {
      lock.unlock();
    }
  }

  /** An entry has left for other reasons. */
  public void left(Entry entry) {
    lock.lock();
    try {
      lines.leave(entry);
    } finally {
      lock.unlock();
    }
  }

  /** A dataset has left. */
  public void left(DatasetChunks dataset) {
    lock.lock();
    try {
      lines.datasets().remove(dataset);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Chunks that will go soon and are not stored, the next first.
   *
   * @param most how many
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
