package io.skerry.cache.policy;

import io.skerry.cache.EvictionPolicy;
import java.util.Optional;

/**
 * The resident chunks of one dataset in the order in which a policy evicts them. Not thread-safe:
 * all calls are made under the eviction lock of the cache.
 *
 * <p>An entry is outside, resident ({@link #add}), or nominated ({@link #nominate}). A nominated
 * entry is either restored ({@link #restore}) or evicted ({@link #evicted}). Late calls, for an
 * entry whose state has changed in the meantime, have no effect.
 *
 * @param <E> type of the cache entries
 */
public interface EvictionOrder<E extends Evictable> {
  /**
   * Creates an empty order for the chunks of one dataset.
   *
   * @param <E> type of the cache entries
   */
  static <E extends Evictable> EvictionOrder<E> of(EvictionPolicy policy) {
    return switch (policy) {
      case LRU -> new RecencyOrder<>(RecencyOrder.Victim.LEAST_RECENT);
      case LFU -> new FrequencyOrder<>();
      case MRU -> new RecencyOrder<>(RecencyOrder.Victim.MOST_RECENT);
      case S3_FIFO -> new S3FifoOrder<>();
      case TINY_LFU -> new TinyLfuOrder<>();
    };
  }

  /**
   * Makes an entry resident.
   *
   * @throws IllegalStateException if it is resident or nominated already
   */
  void add(E entry);

  /**
   * Records a hit of an entry. Hits are reported late, and not all of them. No effect if the entry
   * is not resident.
   */
  void use(E entry);

  /**
   * Updates the size of an entry after its {@link Evictable#bytes} have changed. The order queries
   * the entry and does not add up differences, so calls may arrive out of order.
   */
  void resized(E entry);

  /** Removes an entry for a reason other than eviction. No effect if the entry is outside. */
  void remove(E entry);

  /**
   * Takes the next victim out of the order. The caller must later call {@link #restore} or {@link
   * #evicted} for it. Until then it does not count, and further calls return other entries: a
   * caller that cannot evict a victim keeps it until it has found one that it can evict.
   *
   * @return the victim; empty if no entry is resident
   */
  Optional<E> nominate();

  /**
   * Makes a nominated entry resident again, because it is in use or gets a second pass. It will be
   * among the next victims unless it is used. To restore several entries in their order, restore
   * the last nominated one first.
   */
  void restore(E entry);

  /** Removes a nominated entry that was evicted; its number is remembered for some time. */
  void evicted(E entry);

  /** Number of resident entries. */
  int size();

  /** Size of the resident entries in bytes. */
  long bytes();

  /**
   * Sets the approximate size of this dataset in the cache, for policies that divide it. May change
   * at any time. If it was never set, or other datasets leave less memory, the order uses the size
   * that was resident after the last victims.
   *
   * @param bytes size in bytes, at least 0
   */
  void capacity(long bytes);

  /**
   * Returns whether a chunk was evicted so recently that a larger cache would still have it. To be
   * called before the chunk is added again, which removes the record. The number of records is
   * limited by the maximum contents of the order.
   *
   * @param number number of a chunk in the dataset
   */
  boolean wasEvictedLately(long number);
}
