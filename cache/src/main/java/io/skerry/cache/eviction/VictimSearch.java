package io.skerry.cache.eviction;

import io.skerry.cache.table.ChunkQueue;
import io.skerry.cache.table.ChunkState;
import io.skerry.cache.table.ChunkState.Gone;
import io.skerry.cache.table.ChunkState.Loading;
import io.skerry.cache.table.ChunkState.Unstored;
import io.skerry.cache.table.Counters;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.cache.table.Entry;
import io.skerry.cache.table.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * Finds which chunks go, in two stages: the least recently used dataset gives first, and within it
 * the chunks that the policy names. A dataset that is down to its minimum gives no more, unless all
 * are and there still is not room enough; then those for whose chunks the room is give first, and
 * what was loaded ahead gives last. Of the chunks that are next to go, those that were used as a
 * whole go before those of which a part was: these get a second pass.
 *
 * <p>What is stored goes at once. The last chunk there is stays, however large it is: who reads or
 * writes a chunk piece by piece gets it loaded once; so does the newest. But when somebody waits
 * for the room, all go.
 *
 * <p>How much is looked at goes with what is evicted, whatever the number of chunks and datasets:
 * what cannot go for a long time is taken out of the lines, and the first pass looks only so far.
 * Guarded by the lock of evictions.
 *
 * <p>Source: the shared chunk cache design of 2025, section 4.2.
 */
final class VictimSearch {
  /** Chunks among which those are looked for that were used as a whole, at most. */
  private static final int MOST_AHEAD = 128;

  private final DatasetQueue datasets;
  private final EvictionQueues lines;
  private final Ledger ledger;
  private final Limits limits;
  private final Storer storer;
  private final Counters counters;
  private long looked;

  VictimSearch(
      EvictionQueues lines, Ledger ledger, Limits limits, Storer storer, Counters counters) {
    this.lines = lines;
    this.datasets = lines.datasets();
    this.ledger = ledger;
    this.limits = limits;
    this.storer = storer;
    this.counters = counters;
  }

  /** Chunks and datasets that were looked at so far. */
  long looked() {
    return looked;
  }

  /** Evicts what can go at once, and adds to the victims what has to be stored first. */
  void find(Victims victims) {
    long minimum = datasets.minimum(limits.options().datasetMinimum(), limits.quiescent());
    Optional<DatasetChunks> next = datasets.nextGiving();
    while (next.isPresent() && !victims.isEnough()) {
      chooseFrom(next.get(), minimum, victims);
      leave(next.get());
      if (!victims.isEnough()) {
        datasets.exhaust(next.get());
      }
      next = datasets.nextGiving();
    }
    if (!victims.isEnough()) {
      giveUpMinimum(victims);
    }
    if (!victims.isEnough() && lines.giveUpExpecting(0)) {
      giveUpMinimum(victims);
    }
  }

  private void giveUpMinimum(Victims victims) {
    List<DatasetChunks> visited = new ArrayList<>(victims.askers());
    victims.askers().forEach(dataset -> chooseFrom(dataset, 0, victims));
    for (SequencedSet<DatasetChunks> part : datasets.all()) {
      for (DatasetChunks dataset : part) {
        if (victims.isEnough()) {
          break;
        }
        chooseFrom(dataset, 0, victims);
        visited.add(dataset);
      }
    }
    visited.forEach(this::leave);
  }

  private void leave(DatasetChunks dataset) {
    if (dataset.line().size() == 0) {
      datasets.remove(dataset);
    }
  }

  private void chooseFrom(DatasetChunks dataset, long minimum, Victims victims) {
    looked++;
    ChunkQueue line = dataset.line();
    long others = ledger.bytes() - dataset.bytes();
    line.capacity(Math.max(minimum, limits.quiescent() - others));
    Choice choice = new Choice(dataset, minimum, victims);
    choice.wholes();
    choice.all();
    line.restore(choice.stay);
  }

  /** The choice from one dataset. */
  private final class Choice {
    private final ChunkQueue line;
    private final long minimum;
    private final Victims victims;

    /** What was nominated and stays, in the order of nomination. */
    private final List<Entry> stay = new ArrayList<>();

    private long left;

    Choice(DatasetChunks dataset, long minimum, Victims victims) {
      this.line = dataset.line();
      this.minimum = minimum;
      this.victims = victims;
      this.left = dataset.bytes();
    }

    /** The first pass: looks ahead for those that were used as a whole. */
    void wholes() {
      double preemption = limits.options().preemption();
      long ahead = Math.min(MOST_AHEAD, (long) Math.ceil(preemption * line.size()));
      while (ahead-- > 0 && line.wholes() > 0 && mayGive()) {
        Optional<Entry> next = line.nominate();
        if (next.isEmpty()) {
          return;
        }
        if (next.get().isPartial() || !goes(next.get())) {
          stay.add(next.get());
        }
      }
    }

    /** The second pass: those that were passed over, and what comes behind them. */
    void all() {
      List<Entry> passedOver = List.copyOf(stay);
      stay.clear();
      for (Entry entry : passedOver) {
        if (!mayGive() || !goes(entry)) {
          stay.add(entry);
        }
      }
      while (mayGive()) {
        Optional<Entry> next = line.nominate();
        if (next.isEmpty()) {
          return;
        }
        if (!goes(next.get())) {
          stay.add(next.get());
        }
      }
    }

    /** What the sums say of a dataset that is to keep nothing does not count. */
    private boolean mayGive() {
      return !victims.isEnough() && (minimum == 0 || left > minimum);
    }

    /** Returns whether a chunk that was nominated goes, now or when it is stored. */
    private boolean goes(Entry entry) {
      looked++;
      ChunkState seen = entry.state();
      long bytes = Entry.OVERHEAD + seen.bytes();
      if (minimum > 0 && left - bytes < minimum) {
        left = minimum;
        return false;
      }
      boolean goes = goes(entry, seen, bytes);
      left -= goes ? bytes : 0;
      return goes;
    }

    private boolean stays(Entry entry, long bytes) {
      return !victims.areUrgent() && (isLast(entry, bytes) || lines.shelters(entry));
    }

    private boolean goes(Entry entry, ChunkState seen, long bytes) {
      return switch (seen) {
        case Gone _ -> {
          line.remove(entry);
          yield true;
        }
        case Loading _ -> false;
        case Unstored _ -> {
          if (!storer.storesAnyTime(entry.dataset())) {
            // It comes back when others have stored it.
            line.remove(entry);
            yield true;
          }
          yield !entry.isPinned() && !stays(entry, bytes) && victims.offer(entry, bytes);
        }
        case ChunkState.Clean _, ChunkState.Located _ -> {
          // Somebody may just write to it.
          boolean evicted =
              !stays(entry, bytes)
                  && !entry.isPinned()
                  && ledger.change(entry, seen, Gone.INSTANCE);
          if (evicted) {
            line.evicted(entry);
            lines.depart(entry, bytes);
            counters.evictions.increment();
            victims.gone(bytes);
          }
          yield evicted;
        }
      };
    }
  }

  /** Returns whether nothing else is there; a cache that is to keep nothing has no last one. */
  private boolean isLast(Entry entry, long bytes) {
    return limits.quiescent() > 0 && ledger.bytes() <= bytes && entry.isPartial();
  }

  /**
   * Chunks that will go soon and were not stored, the next first.
   *
   * @param most how many
   */
  List<Entry> nextDirty(int most) {
    List<Entry> found = new ArrayList<>();
    int left = 4 * most;
    for (SequencedSet<DatasetChunks> part : datasets.all().reversed()) {
      for (DatasetChunks dataset : part) {
        if (left <= 0 || found.size() >= most) {
          return found;
        }
        left -= 1 + lookAhead(dataset, Math.min(left, most), found);
      }
    }
    return found;
  }

  /** How many were looked at. */
  private int lookAhead(DatasetChunks dataset, int most, List<Entry> found) {
    List<Entry> nominated = new ArrayList<>();
    Optional<Entry> next = dataset.line().nominate();
    while (next.isPresent()) {
      nominated.add(next.get());
      ChunkState seen = next.get().state();
      boolean written = seen instanceof ChunkState.Dirty;
      if (written && !lines.shelters(next.get())) {
        found.add(next.get());
      }
      next = nominated.size() < most ? dataset.line().nominate() : Optional.empty();
    }
    looked += nominated.size();
    dataset.line().restore(nominated);
    return nominated.size();
  }
}
