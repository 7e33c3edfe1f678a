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
 * Chooses chunks to evict in two stages: the least recently used dataset first, and within it the
 * chunks that the policy nominates. A dataset that has only its minimum left is skipped, unless
 * this holds for all datasets and too little memory is free. In this case, the datasets for which
 * memory is needed lose chunks first, and prefetched chunks are evicted last. Among the next chunks
 * of a dataset, those that were used as a whole are evicted before those that were used in part,
 * which are considered in a second pass.
 *
 * <p>Stored chunks are evicted immediately. Unless the limit is 0, two chunks stay if they were
 * used in part, so that a program that reads or writes a chunk piece by piece loads the chunk only
 * once: the last chunk in the cache, however large, and the newest chunk. If a thread waits for the
 * memory, these two are evicted too.
 *
 * <p>Guarded by the eviction lock.
 *
 * <p>Source: "RFC: Shared Chunk Cache Design" (C. Carper, J. Mainzer, 2025), section 4.2.
 */
final class VictimSearch {
  /** Maximum number of chunks that the first pass examines. */
  private static final int MOST_AHEAD = 128;

  private final DatasetQueue datasets;
  private final EvictionQueues queues;
  private final Ledger ledger;
  private final Limits limits;
  private final Storer storer;
  private final Counters counters;
  private long looked;

  VictimSearch(
      EvictionQueues queues, Ledger ledger, Limits limits, Storer storer, Counters counters) {
    this.queues = queues;
    this.datasets = queues.datasets();
    this.ledger = ledger;
    this.limits = limits;
    this.storer = storer;
    this.counters = counters;
  }

  /** Returns the number of chunks and datasets that all searches so far have examined. */
  long looked() {
    return looked;
  }

  /**
   * Evicts chunks that can be evicted immediately, and adds to the victims the chunks that must be
   * stored first.
   */
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
    if (!victims.isEnough() && queues.giveUpExpecting(0)) {
      giveUpMinimum(victims);
    }
  }

  private void giveUpMinimum(Victims victims) {
    List<DatasetChunks> visited = new ArrayList<>(victims.requesters());
    victims.requesters().forEach(dataset -> chooseFrom(dataset, 0, victims));
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
    if (dataset.queue().size() == 0) {
      datasets.remove(dataset);
    }
  }

  private void chooseFrom(DatasetChunks dataset, long minimum, Victims victims) {
    looked++;
    ChunkQueue queue = dataset.queue();
    long others = ledger.bytes() - dataset.bytes();
    queue.capacity(Math.max(minimum, limits.quiescent() - others));
    Choice choice = new Choice(dataset, minimum, victims);
    choice.wholes();
    choice.all();
    queue.restore(choice.stay);
  }

  /** The choice of victims from one dataset. */
  private final class Choice {
    private final ChunkQueue queue;
    private final long minimum;
    private final Victims victims;

    /** Nominated chunks that stay in the cache, in the order of nomination. */
    private final List<Entry> stay = new ArrayList<>();

    private long left;

    Choice(DatasetChunks dataset, long minimum, Victims victims) {
      this.queue = dataset.queue();
      this.minimum = minimum;
      this.victims = victims;
      this.left = dataset.bytes();
    }

    /** First pass: examines the next chunks, and chooses only those that were used as a whole. */
    void wholes() {
      double preemption = limits.options().preemption();
      long ahead = Math.min(MOST_AHEAD, (long) Math.ceil(preemption * queue.size()));
      while (ahead-- > 0 && queue.wholes() > 0 && mayGive()) {
        Optional<Entry> next = queue.nominate();
        if (next.isEmpty()) {
          return;
        }
        if (next.get().isPartial() || !goes(next.get())) {
          stay.add(next.get());
        }
      }
    }

    /** Second pass: examines the chunks that the first pass skipped, and those after them. */
    void all() {
      List<Entry> passedOver = List.copyOf(stay);
      stay.clear();
      for (Entry entry : passedOver) {
        if (!mayGive() || !goes(entry)) {
          stay.add(entry);
        }
      }
      while (mayGive()) {
        Optional<Entry> next = queue.nominate();
        if (next.isEmpty()) {
          return;
        }
        if (!goes(next.get())) {
          stay.add(next.get());
        }
      }
    }

    /**
     * Returns whether the search must free more memory and the dataset may lose another chunk. With
     * a minimum of 0, the sizes are ignored.
     */
    private boolean mayGive() {
      return !victims.isEnough() && (minimum == 0 || left > minimum);
    }

    /**
     * Tries to evict a nominated chunk, or to choose it as a victim that must be stored first.
     *
     * @return true if the chunk leaves the queue, even if it has already left the cache or if only
     *     a flush can store it
     */
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
      return !victims.areUrgent() && (isLast(entry, bytes) || queues.shelters(entry));
    }

    private boolean goes(Entry entry, ChunkState seen, long bytes) {
      return switch (seen) {
        case Gone _ -> {
          queue.remove(entry);
          yield true;
        }
        case Loading _ -> false;
        case Unstored _ -> {
          if (!storer.storesAnyTime(entry.dataset())) {
            // The entry is added to the queue again after a flush has stored the chunk.
            queue.remove(entry);
            yield true;
          }
          yield !entry.isPinned() && !stays(entry, bytes) && victims.offer(entry, bytes);
        }
        case ChunkState.Clean _, ChunkState.Located _ -> {
          // The chunk stays if another thread changes its state in the meantime, for example by a
          // write.
          boolean evicted =
              !stays(entry, bytes)
                  && !entry.isPinned()
                  && ledger.change(entry, seen, Gone.INSTANCE);
          if (evicted) {
            queue.evicted(entry);
            queues.depart(entry, bytes);
            counters.evictions.increment();
            victims.gone(bytes);
          }
          yield evicted;
        }
      };
    }
  }

  /**
   * Returns whether a chunk is the only one in the cache and was used in part. Always false with a
   * limit of 0.
   */
  private boolean isLast(Entry entry, long bytes) {
    return limits.quiescent() > 0 && ledger.bytes() <= bytes && entry.isPartial();
  }

  /**
   * Returns unstored chunks that are not encoded yet and will soon be evicted, the next victim
   * first.
   *
   * @param most maximum number of chunks
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

  /**
   * Adds to {@code found} the unprotected chunks that are neither stored nor encoded, among those
   * that the policy nominates next.
   *
   * @param most maximum number of chunks to examine, at least 1
   * @return the number of chunks examined
   */
  private int lookAhead(DatasetChunks dataset, int most, List<Entry> found) {
    List<Entry> nominated = new ArrayList<>();
    Optional<Entry> next = dataset.queue().nominate();
    while (next.isPresent()) {
      nominated.add(next.get());
      ChunkState seen = next.get().state();
      boolean written = seen instanceof ChunkState.Dirty;
      if (written && !queues.shelters(next.get())) {
        found.add(next.get());
      }
      next = nominated.size() < most ? dataset.queue().nominate() : Optional.empty();
    }
    looked += nominated.size();
    dataset.queue().restore(nominated);
    return nominated.size();
  }
}
