package io.skerry.cache.eviction;

import io.skerry.cache.table.DatasetChunks;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * The datasets that have chunks in the cache, least recently used first. A dataset is exhausted
 * when a search could evict no more of its chunks, because they are in use, protected or could not
 * be stored, or because the dataset would fall below its minimum. Exhausted datasets are kept in a
 * separate list until they are used again or the minimum decreases, so that an eviction need not
 * visit all of them. Guarded by the eviction lock.
 */
final class DatasetQueue {
  private final SequencedSet<DatasetChunks> giving = new LinkedHashSet<>();
  private final SequencedSet<DatasetChunks> exhausted = new LinkedHashSet<>();

  /** The minimum in bytes that {@link #minimum(long, long)} returned last. */
  private long minimum;

  /** Marks a dataset as the most recently used. */
  void use(DatasetChunks dataset) {
    exhausted.remove(dataset);
    giving.addLast(dataset);
  }

  /**
   * Adds a dataset back to the queue, because chunks that were chosen for eviction stay in the
   * cache. Has no effect if the dataset is present.
   */
  void back(DatasetChunks dataset) {
    if (!giving.contains(dataset) && !exhausted.contains(dataset)) {
      giving.addFirst(dataset);
    }
  }

  /** Removes a dataset that has no chunks left in the cache. */
  void remove(DatasetChunks dataset) {
    giving.remove(dataset);
    exhausted.remove(dataset);
  }

  /** Marks a dataset as exhausted. */
  void exhaust(DatasetChunks dataset) {
    if (giving.remove(dataset)) {
      exhausted.addLast(dataset);
    }
  }

  /**
   * Returns the size in bytes that each dataset keeps: the configured minimum, or an equal share of
   * the cache if that is less. To compute the share, the number of datasets is rounded up to a
   * power of two, so that the share seldom changes.
   *
   * @param wanted configured minimum of each dataset, in bytes
   * @param limit limit for all datasets together, in bytes
   */
  long minimum(long wanted, long limit) {
    int count = Math.max(1, giving.size() + exhausted.size());
    long share = limit >> Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
    long now = Math.min(wanted, share);
    if (now < minimum) {
      // The minimum is lower now, so exhausted datasets can lose chunks again.
      List.copyOf(exhausted).reversed().forEach(giving::addFirst);
      exhausted.clear();
    }
    minimum = now;
    return now;
  }

  /** Returns the least recently used dataset that is not exhausted; empty if all are exhausted. */
  Optional<DatasetChunks> nextGiving() {
    return giving.isEmpty() ? Optional.empty() : Optional.of(giving.getFirst());
  }

  /**
   * Returns all datasets, in the order in which they may be reduced below their minimum: the
   * exhausted datasets first.
   */
  List<SequencedSet<DatasetChunks>> all() {
    return List.of(exhausted, giving);
  }
}
