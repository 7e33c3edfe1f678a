package io.skerry.cache.eviction;

import io.skerry.cache.table.DatasetChunks;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * The datasets that have chunks in the cache, the least recently used first. Those that are down to
 * their minimum are exhausted and stand apart, until they are used again or their minimum falls, so
 * that an eviction does not come by all of them. Guarded by the lock of evictions.
 */
final class DatasetQueue {
  private final SequencedSet<DatasetChunks> giving = new LinkedHashSet<>();
  private final SequencedSet<DatasetChunks> exhausted = new LinkedHashSet<>();

  /** Bytes of the minimum at which the exhausted ones were found to be so, or more. */
  private long minimum;

  /** A dataset is used, and the most recent now. */
  void use(DatasetChunks dataset) {
    exhausted.remove(dataset);
    giving.addLast(dataset);
  }

  /** A dataset has chunks again that were to go. */
  void back(DatasetChunks dataset) {
    if (!giving.contains(dataset) && !exhausted.contains(dataset)) {
      giving.addFirst(dataset);
    }
  }

  /** A dataset has no chunks. */
  void remove(DatasetChunks dataset) {
    giving.remove(dataset);
    exhausted.remove(dataset);
  }

  /** A dataset gives no more than it has given. */
  void exhaust(DatasetChunks dataset) {
    if (giving.remove(dataset)) {
      exhausted.addLast(dataset);
    }
  }

  /**
   * What a dataset keeps: its minimum, or its share of the cache, if that is less. The share goes
   * by the number of datasets, rounded up to a power of two so that it seldom changes.
   *
   * @param wanted bytes that each is to keep
   * @param limit bytes that all may keep
   */
  long minimum(long wanted, long limit) {
    int count = Math.max(1, giving.size() + exhausted.size());
    long share = limit >> Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
    long now = Math.min(wanted, share);
    if (now < minimum) {
      // They may give again. They were used before the others.
      List.copyOf(exhausted).reversed().forEach(giving::addFirst);
      exhausted.clear();
    }
    minimum = now;
    return now;
  }

  /** The next one that gives; empty if all are exhausted. */
  Optional<DatasetChunks> nextGiving() {
    return giving.isEmpty() ? Optional.empty() : Optional.of(giving.getFirst());
  }

  /** All, in the order in which they give what they have to keep if there is room enough. */
  List<SequencedSet<DatasetChunks>> all() {
    return List.of(exhausted, giving);
  }
}
