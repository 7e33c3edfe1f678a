package io.skerry.cache.eviction;

import io.skerry.cache.table.ChunkState;
import io.skerry.cache.table.ChunkState.Gone;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.cache.table.Entry;
import io.skerry.cache.table.Entry.Standing;
import io.skerry.cache.table.Ledger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where chunks and datasets stand that may have to go: who arrives, is used, leaves. Guarded by the
 * lock of evictions.
 */
final class EvictionQueues {
  private final DatasetQueue datasets = new DatasetQueue();
  private final PrefetchedChunks expected = new PrefetchedChunks();
  private final GhostList departures;
  private final Ledger ledger;
  private final Limits limits;
  private Optional<Entry> newest = Optional.empty();

  EvictionQueues(Ledger ledger, Limits limits) {
    this.ledger = ledger;
    this.limits = limits;
    this.departures = new GhostList(limits);
  }

  DatasetQueue datasets() {
    return datasets;
  }

  /** Chunks that were loaded ahead and not asked for. */
  int expected() {
    return expected.size();
  }

  /** A chunk has come that was asked for, or what is known of it has become more. */
  void arrive(Entry entry) {
    // Who had read its first section tells so after others have loaded all of it.
    expected.remove(entry);
    if (!isToGo(entry)) {
      if (entry.standing() == Standing.OUTSIDE) {
        newest = Optional.of(entry);
      }
      takeIn(entry);
    }
  }

  /** A chunk has come that nobody has asked for yet. */
  void expect(Entry entry) {
    if (!isToGo(entry)) {
      if (entry.standing() == Standing.OUTSIDE) {
        expected.add(entry);
      } else {
        takeIn(entry);
      }
    }
  }

  /** Returns whether a chunk has gone already, or goes now because its dataset has ended. */
  private boolean isToGo(Entry entry) {
    ChunkState seen = entry.state();
    while (entry.dataset().hasEnded() && !(seen instanceof Gone)) {
      // Whoever ended it may have looked before this one came.
      var unused = ledger.change(entry, seen, Gone.INSTANCE);
      seen = entry.state();
    }
    return seen instanceof Gone;
  }

  private void takeIn(Entry entry) {
    DatasetChunks dataset = entry.dataset();
    if (entry.standing() == Standing.OUTSIDE) {
      OptionalLong needed = departures.back(entry);
      if (needed.isPresent()) {
        limits.loadedAgain(needed.getAsLong());
      } else {
        limits.loaded(entry.bytes());
      }
      dataset.line().add(entry);
    } else {
      dataset.line().use(entry);
    }
    datasets.use(dataset);
  }

  /** A chunk was used some time ago. */
  void use(Entry entry) {
    if (expected.contains(entry)) {
      arrive(entry);
    } else if (entry.standing() != Standing.OUTSIDE) {
      entry.dataset().line().use(entry);
      datasets.use(entry.dataset());
    }
  }

  /**
   * Returns whether a chunk is the newest, and part of it was used: whatever a policy says of
   * newcomers, the other parts are likely to be wanted next. A cache that is to keep nothing
   * shelters none.
   */
  boolean shelters(Entry entry) {
    return limits.quiescent() > 0 && entry.isPartial() && newest.filter(entry::equals).isPresent();
  }

  /**
   * A chunk goes to make room.
   *
   * @param bytes that it had
   */
  void depart(Entry entry, long bytes) {
    forgetNewest(entry);
    departures.add(entry, bytes);
  }

  /**
   * Chunks were to go and were stored for that, but are used: as if they had gone and come back, of
   * which the file has seen one half.
   *
   * @param gone bytes of what did go with them
   */
  void stayed(List<Entry> entries, long gone) {
    long bytes = gone;
    for (Entry entry : entries) {
      use(entry);
      bytes += entry.bytes();
    }
    if (!entries.isEmpty()) {
      limits.loadedAgain(limits.quiescent() + bytes);
    }
  }

  /** What has gone to make room. */
  GhostList.Total departed() {
    return departures.total();
  }

  /** A chunk has left for other reasons than room. */
  void leave(Entry entry) {
    forgetNewest(entry);
    expected.remove(entry);
    entry.dataset().line().remove(entry);
  }

  private void forgetNewest(Entry entry) {
    newest = newest.filter(other -> !other.equals(entry));
  }

  /**
   * Lets chunks go like others that were loaded ahead and not asked for, the oldest first.
   *
   * @param most bytes of those that are still waited for
   * @return whether there were any
   */
  boolean giveUpExpecting(long most) {
    boolean any = false;
    Optional<Entry> oldest = expected.oldestAbove(most);
    while (oldest.isPresent()) {
      if (!isToGo(oldest.get())) {
        takeIn(oldest.get());
      }
      any = true;
      oldest = expected.oldestAbove(most);
    }
    return any;
  }
}
