package io.skerry.cache;

import io.skerry.cache.ChunkState.Clean;
import io.skerry.cache.ChunkState.Gone;
import io.skerry.cache.Entry.Standing;
import io.skerry.cache.Rooms.Room;
import io.skerry.cache.Victims.Reach;
import io.skerry.cache.Victims.Wanted;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
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
 * while anything is read, encoded or written, and no hit takes it. Who has to store victims chooses
 * them when it is his turn to store: whoever waits for his turn finds what the one before has left,
 * and so no two store, or evict, for the same excess. The turn to store comes before the lock.
 */
final class Evictor {
  private final ReentrantLock lock = new ReentrantLock();
  private final DatasetLine datasets = new DatasetLine();
  private final Rooms rooms = new Rooms();
  private final Ledger ledger;
  private final Recency recency;
  private final Limits limits;
  private final Storer storer;
  private final Counters counters;
  private final Departures departures;
  private final Shelter shelter;
  private final VictimSearch search;

  /** Whether somebody left it to the one whose turn it was to look again. */
  private final AtomicBoolean lookAgain = new AtomicBoolean();

  Evictor(Ledger ledger, Recency recency, Limits limits, Storer storer, Counters counters) {
    this.ledger = ledger;
    this.recency = recency;
    this.limits = limits;
    this.storer = storer;
    this.counters = counters;
    this.departures = new Departures(limits);
    this.shelter = new Shelter(limits);
    this.search = new VictimSearch(datasets, ledger, limits, storer, departures, shelter, counters);
  }

  /**
   * Makes room, and waits for whoever is just storing if there is no other way.
   *
   * @throws RuntimeException if there is not enough because a victim could not be stored; it is
   *     still there
   */
  Room makeRoom(long bytes) {
    Room room = rooms.reserve(bytes);
    boolean made = false;
    try {
      shrink(this::aboveActive, Wanted.GO);
      made = true;
      return room;
    } finally {
      if (!made) {
        room.close();
      }
    }
  }

  /** Makes room if that takes no storing. */
  Optional<Room> findRoom(long bytes) {
    Room room = rooms.reserve(bytes);
    if (choose(this::aboveActive, Reach.STORED, Wanted.STAY, Set.of()).isFound()) {
      return Optional.of(room);
    }
    room.close();
    return Optional.empty();
  }

  /** Bytes that could be loaded at once, if everything were evicted that may be. */
  long free() {
    return Math.max(0, limits.active() - rooms.reserved());
  }

  /** Bytes that could come without anything being evicted. */
  long spare() {
    return -aboveActive();
  }

  /** Bytes that loads and writes under way may still take. */
  long reserved() {
    return rooms.reserved();
  }

  /** Chunks and datasets that were looked at so far. */
  long looked() {
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
  void trim() {
    shrink(this::aboveQuiescent, Wanted.STAY);
  }

  /**
   * The same after a request, whose business it is not if that fails: what is in the way stays, and
   * who needs its room or flushes is told. If somebody is just storing he does it.
   */
  void trimAfterwards() {
    boolean again = aboveQuiescent() > 0;
    while (again) {
      Victims found = choose(this::aboveQuiescent, Reach.NEXT, Wanted.STAY, Set.of());
      if (found.isFound() || storer.isPausedHere()) {
        return;
      }
      lookAgain.set(true);
      Optional<Storer.Turn> turn = storer.tryTurn();
      if (turn.isEmpty()) {
        return;
      }
      try (var _ = turn.get()) {
        lookAgain.set(false);
        store(this::aboveQuiescent, Wanted.STAY);
      } catch (RuntimeException e) {
        // It is not lost, and is tried again.
        return;
      }
      // Who came just before the turn ended has gone away.
      again = lookAgain.get();
    }
  }

  private void shrink(LongSupplier excess, Wanted wanted) {
    boolean found = choose(excess, Reach.NEXT, wanted, Set.of()).isFound();
    if (!found && !storer.isPausedHere()) {
      try (var _ = storer.turn()) {
        store(excess, wanted);
      }
      if (lookAgain.get()) {
        trimAfterwards();
      }
    }
  }

  private Victims choose(LongSupplier excess, Reach reach, Wanted wanted, Set<Entry> spared) {
    lock.lock();
    try {
      Victims victims = new Victims(excess.getAsLong(), reach, wanted, spared);
      if (!victims.isFound()) {
        drain();
        search.find(victims);
      }
      return victims;
    } finally {
      lock.unlock();
    }
  }

  private void drain() {
    recency.drainTo(entry -> {
      entry.dataset().line().use(entry);
      if (entry.standing() != Standing.OUTSIDE) {
        datasets.use(entry.dataset());
      }
    });
  }

  /** Stores and evicts, each chunk at most once. For whom it is the turn to store. */
  private void store(LongSupplier excess, Wanted wanted) {
    Set<Entry> tried = Collections.newSetFromMap(new IdentityHashMap<>());
    Optional<RuntimeException> failure = Optional.empty();
    Victims victims = choose(excess, Reach.ALL, wanted, tried);
    while (!victims.unstored().isEmpty()) {
      tried.addAll(victims.unstored());
      try {
        store(victims.unstored());
      } catch (RuntimeException e) {
        failure = failure.or(() -> Optional.of(e));
      }
      victims = choose(excess, Reach.ALL, wanted, tried);
    }
    if (!victims.isFound() && failure.isPresent()) {
      throw failure.get();
    }
  }

  /** Stores victims and lets those go that nobody writes to. */
  private void store(List<Entry> victims) {
    List<Storer.Stored> stored = List.of();
    try {
      stored = storer.store(victims);
    } finally {
      lock.lock();
      try {
        stored.forEach(this::goOrStay);
        for (Entry entry : victims.reversed()) {
          DatasetChunks dataset = entry.dataset();
          if (entry.state() instanceof Gone) {
            dataset.line().evicted(entry);
          } else {
            dataset.line().restore(List.of(entry));
            datasets.back(dataset);
          }
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * The version may have got an image since, or a writer who holds it; it is stored all the same.
   */
  private void goOrStay(Storer.Stored stored) {
    Entry entry = stored.entry();
    ChunkState seen = entry.state();
    while (stored.isVersionOf(seen)) {
      // After the state: see Entry.
      boolean wanted = entry.isWanted();
      ChunkState next = wanted ? new Clean(stored.state().chunk()) : Gone.INSTANCE;
      if (ledger.change(entry, seen, next)) {
        if (!wanted) {
          departures.add(entry, entry.bytes() + seen.bytes());
          counters.evictions.increment();
        }
        return;
      }
      seen = entry.state();
    }
  }

  /** Takes in entries whose chunks have come, the last as the most recent. */
  void arrived(List<Entry> entries) {
    lock.lock();
    try {
      entries.forEach(this::arrived);
    } finally {
      lock.unlock();
    }
  }

  /** Takes an entry in again that had left because others were to store it. */
  void stored(Entry entry) {
    arrived(List.of(entry));
  }

  private void arrived(Entry entry) {
    DatasetChunks dataset = entry.dataset();
    ChunkState seen = entry.state();
    while (dataset.hasEnded() && !(seen instanceof Gone)) {
      // Whoever ended it may have looked before this one came.
      var unused = ledger.change(entry, seen, Gone.INSTANCE);
      seen = entry.state();
    }
    if (seen instanceof Gone) {
      return;
    }
    if (entry.standing() != Standing.OUTSIDE) {
      // It was there already, with less of the chunk.
      dataset.line().use(entry);
      return;
    }
    OptionalLong needed = departures.back(entry);
    if (needed.isPresent()) {
      limits.loadedAgain(needed.getAsLong());
    } else {
      limits.loaded(entry.bytes());
    }
    dataset.line().add(entry);
    datasets.use(dataset);
    shelter.came(entry);
  }

  /** A chunk is about to come that nobody has asked for. */
  void comesAhead(Entry entry) {
    lock.lock();
    try {
      shelter.takeAhead(entry);
    } finally {
      lock.unlock();
    }
  }

  /** An entry has left for other reasons. */
  void left(Entry entry) {
    lock.lock();
    try {
      entry.dataset().line().remove(entry);
    } finally {
      lock.unlock();
    }
  }

  /** A dataset has left. */
  void left(DatasetChunks dataset) {
    lock.lock();
    try {
      datasets.remove(dataset);
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
