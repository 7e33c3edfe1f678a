package io.skerry.cache.eviction;

import io.skerry.cache.table.DatasetChunks;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * The datasets that have chunks in the cache, the least recently used first. Datasets that have
 * only their minimum left are exhausted. They are kept separately until they are used again or the
 * minimum decreases, so that an eviction need not visit all of them. Guarded by the eviction lock.
 */
final class DatasetQueue {
  private final SequencedSet<DatasetChunks> giving = new LinkedHashSet<>();
  private final SequencedSet<DatasetChunks> exhausted = new LinkedHashSet<>();

  /** Minimum in bytes at which datasets became exhausted, or a greater value. */
  private long minimum;

  /** Marks a dataset as the most recently used. */
  void use(DatasetChunks dataset) {
    exhausted.remove(dataset);
    giving.addLast(dataset);
  }

  /** Adds a dataset again after chunks that were chosen for eviction have stayed. */
  void back(DatasetChunks dataset) {
    if (!giving.contains(dataset) && !exhausted.contains(dataset)) {
      giving.addFirst(dataset);
    }
  }

  /** Removes a dataset without chunks. */
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
   * Returns the size that a dataset keeps: its minimum, or its share of the cache if that is less.
   * The number of datasets is rounded up to a power of two for the share, so that the share seldom
   * changes.
   *
   * @param wanted minimum of each dataset, in bytes
   * @param limit limit of all datasets together, in bytes
   */
  long minimum(long wanted, long limit) {
    int count = Math.max(1, giving.size() + exhausted.size());
    long share = limit >> Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
    long now = Math.min(wanted, share);
    if (now < minimum) {
      // Exhausted datasets may be evicted from again. They were used before the others.
      List.copyOf(exhausted).reversed().forEach(giving::addFirst);
      exhausted.clear();
    }
    minimum = now;
    return now;
  }

  /** Returns the next dataset that is not exhausted; empty if all are. */
  Optional<DatasetChunks> nextGiving() {
    return giving.isEmpty() ? Optional.empty() : Optional.of(giving.getFirst());
  }

  /**
   * Returns all datasets, in the order in which they lose their minimum if memory does not suffice.
   */
  List<SequencedSet<DatasetChunks>> all() {
    return List.of(exhausted, giving);
  }
}
