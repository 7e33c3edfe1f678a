package io.skerry.cache.policy;

import io.skerry.cache.EvictionPolicy;
import java.util.Optional;

/**
 * The resident chunks of one dataset in the order in which a policy evicts them. Not thread-safe:
 * all calls are made under the eviction lock of the cache.
 *
 * <p>An entry is outside the order, resident ({@link #add}), or nominated ({@link #nominate}). A
 * nominated entry is either restored ({@link #restore}) or evicted ({@link #evicted}). Late calls
 * to methods other than {@link #add}, for an entry whose state has changed in the meantime, have no
 * effect.
 *
 * @param <E> type of the cache entries
 */
public interface EvictionOrder<E extends Evictable> {
  /**
   * Creates an empty order for the chunks of one dataset.
   *
   * @param <E> type of the cache entries
   * @param policy the policy that determines the order
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
   * @throws IllegalStateException if the entry is already resident or nominated
   */
  void add(E entry);

  /**
   * Records a hit on an entry. Hits are reported with a delay, and some are not reported. Has no
   * effect if the entry is not resident.
   */
  void use(E entry);

  /**
   * Updates the size of an entry after its {@link Evictable#bytes} have changed. The order queries
   * the entry and does not add up differences, so calls may arrive out of order.
   */
  void resized(E entry);

  /** Removes an entry for a reason other than eviction. Has no effect if the entry is outside. */
  void remove(E entry);

  /**
   * Removes the next victim from the order and returns it. The caller must later pass the victim to
   * {@link #restore} or {@link #evicted}. Until then, the victim does not count as resident, and
   * further calls return other entries.
   *
   * @return the victim; empty if no entry is resident
   */
  Optional<E> nominate();

  /**
   * Makes a nominated entry resident again, because it is in use or must be considered again later.
   * The entry will be among the next victims unless it is used. To keep the order of several
   * nominated entries, restore them in the reverse order of their nomination.
   */
  void restore(E entry);

  /** Removes a nominated entry that was evicted; its chunk number is remembered for a while. */
  void evicted(E entry);

  /** Returns the number of resident entries. */
  int size();

  /** Returns the size of the resident entries in bytes. */
  long bytes();

  /**
   * Sets the approximate number of bytes that this dataset may occupy in the cache, for policies
   * that divide this space among several lists. The size may change at any time.
   *
   * @param bytes size in bytes, at least 0
   * @throws IllegalArgumentException if the size is negative
   */
  void capacity(long bytes);

  /**
   * Returns whether a chunk is in the record of recently evicted chunks. Must be called before the
   * chunk is added again, which removes it from the record.
   *
   * @param number the chunk number within the dataset
   */
  boolean wasEvictedLately(long number);
}
