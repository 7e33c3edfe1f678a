package io.skerry.cache.eviction;

import io.skerry.cache.table.ChunkState;
import io.skerry.cache.table.ChunkState.Gone;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.cache.table.Entry;
import io.skerry.cache.table.Entry.QueueStatus;
import io.skerry.cache.table.Ledger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The eviction queues of all datasets, the prefetched chunks, and the record of evicted chunks.
 * Guarded by the eviction lock.
 */
final class EvictionQueues {
  private final DatasetQueue datasets = new DatasetQueue();
  private final PrefetchedChunks expected = new PrefetchedChunks();
  private final GhostList ghosts;
  private final Ledger ledger;
  private final Limits limits;
  private Optional<Entry> newest = Optional.empty();

  EvictionQueues(Ledger ledger, Limits limits) {
    this.ledger = ledger;
    this.limits = limits;
    this.ghosts = new GhostList(limits);
  }

  DatasetQueue datasets() {
    return datasets;
  }

  /**
   * Returns the number of prefetched chunks in the cache that have been neither used nor moved to
   * an eviction queue.
   */
  int expected() {
    return expected.size();
  }

  /**
   * Adds a chunk that is new in the cache and was not prefetched, or that a flush has stored; or
   * records that more of a chunk was loaded.
   */
  void arrive(Entry entry) {
    // A thread that has read only the section that lists the defined elements may report its read
    // after another thread has prefetched the whole chunk.
    expected.remove(entry);
    if (!isToGo(entry)) {
      if (entry.queueStatus() == QueueStatus.OUTSIDE) {
        newest = Optional.of(entry);
      }
      takeIn(entry);
    }
  }

  /** Adds a prefetched chunk. */
  void expect(Entry entry) {
    if (!isToGo(entry)) {
      if (entry.queueStatus() == QueueStatus.OUTSIDE) {
        expected.add(entry);
      } else {
        takeIn(entry);
      }
    }
  }

  /**
   * Returns whether a chunk has left the cache. Removes the chunk first if its dataset was removed
   * from the cache.
   */
  private boolean isToGo(Entry entry) {
    ChunkState seen = entry.state();
    while (entry.dataset().hasEnded() && !(seen instanceof Gone)) {
      // The thread that removed the dataset may have visited the table before this chunk was
      // added.
      var unused = ledger.change(entry, seen, Gone.INSTANCE);
      seen = entry.state();
    }
    return seen instanceof Gone;
  }

  private void takeIn(Entry entry) {
    DatasetChunks dataset = entry.dataset();
    if (entry.queueStatus() == QueueStatus.OUTSIDE) {
      OptionalLong needed = ghosts.back(entry);
      if (needed.isPresent()) {
        limits.loadedAgain(needed.getAsLong());
      } else {
        limits.loaded(entry.bytes());
      }
      dataset.queue().add(entry);
    } else {
      dataset.queue().use(entry);
    }
    datasets.use(dataset);
  }

  /** Records a use of a chunk; the use may have occurred some time ago. */
  void use(Entry entry) {
    if (expected.contains(entry)) {
      arrive(entry);
    } else if (entry.queueStatus() != QueueStatus.OUTSIDE) {
      entry.dataset().queue().use(entry);
      datasets.use(entry.dataset());
    }
  }

  /**
   * Returns whether a chunk is protected from eviction because it is the newest chunk and only part
   * of it has been used. Its other parts are likely to be used next, so the chunk is protected even
   * if the policy would evict new entries first. A cache with a limit of 0 protects no chunk.
   */
  boolean shelters(Entry entry) {
    return limits.quiescent() > 0 && entry.isPartial() && newest.filter(entry::equals).isPresent();
  }

  /**
   * Records an eviction.
   *
   * @param entry the chunk
   * @param bytes size of the chunk in bytes
   */
  void depart(Entry entry, long bytes) {
    forgetNewest(entry);
    ghosts.add(entry, bytes);
  }

  /** Records the eviction of a victim that was stored, or returns it to the queue if it stays. */
  void settle(Entry victim) {
    DatasetChunks dataset = victim.dataset();
    if (victim.state() instanceof Gone) {
      dataset.queue().evicted(victim);
    } else {
      dataset.queue().restore(List.of(victim));
      datasets.back(dataset);
    }
  }

  /**
   * Records that chunks stay in the cache because they are in use, although they were chosen for
   * eviction and have been stored. They count as if they had been evicted and loaded again.
   *
   * @param entries the chunks
   * @param gone size of the chunks that were evicted with them, in bytes
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

  /** Returns the number and the size of the chunks evicted so far. */
  GhostList.Total departed() {
    return ghosts.total();
  }

  /** Removes a chunk that leaves the cache for a reason other than eviction. */
  void leave(Entry entry) {
    forgetNewest(entry);
    expected.remove(entry);
    entry.dataset().queue().remove(entry);
  }

  /** Removes a dataset that leaves the cache. All of its chunks must already have been removed. */
  void leave(DatasetChunks dataset) {
    datasets.remove(dataset);
    ghosts.forget(dataset);
  }

  private void forgetNewest(Entry entry) {
    newest = newest.filter(other -> !other.equals(entry));
  }

  /**
   * Moves the oldest prefetched chunks to the eviction queues, so that they can be evicted like
   * other chunks.
   *
   * @param most maximum size of the prefetched chunks that are not moved, in bytes
   * @return true if at least one chunk was moved, or had left the cache already
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
