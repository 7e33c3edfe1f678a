package io.skerry.cache.policy;

import io.skerry.cache.EvictionPolicy;
import java.util.Optional;

/**
 * The resident chunks of one dataset in the order in which a policy gives them up. Not safe for
 * several threads: every call is made under the eviction lock of the cache.
 *
 * <p>An entry is outside, resident ({@link #add}), or nominated ({@link #nominate}); from there it
 * goes back ({@link #restore}) or away ({@link #evicted}). Calls that come too late, for an entry
 * that went another way in between, do nothing.
 *
 * @param <E> the cache's entries
 */
public interface EvictionOrder<E extends Evictable> {
  /**
   * An empty order for the chunks of one dataset.
   *
   * @param <E> the cache's entries
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
   * The entry is resident from now on.
   *
   * @throws IllegalStateException if it is resident or nominated already
   */
  void add(E entry);

  /**
   * The entry was hit. Told late, and not for every hit; nothing happens if the entry is not
   * resident any more.
   */
  void use(E entry);

  /**
   * The entry's {@link Evictable#bytes} have changed. The order asks the entry for them instead of
   * summing up differences, so that news that overtake each other do no harm.
   */
  void resized(E entry);

  /** The entry was dropped for other reasons than room; nothing happens if it is outside. */
  void remove(E entry);

  /**
   * Takes the next victim out of the order. The caller says later what became of it: {@link
   * #restore} or {@link #evicted}. Until then it counts for nothing, and further calls give others:
   * who cannot evict a victim keeps it aside until it has found one that it can.
   *
   * @return empty if nothing is resident
   */
  Optional<E> nominate();

  /**
   * A nominated entry stays after all, since it is in use or gets a second pass. It will be among
   * the next to go unless it is used. Of several, the last that was nominated is best restored
   * first: then they are nominated again in the same order.
   */
  void restore(E entry);

  /** A nominated entry is gone; its number is remembered for a while. */
  void evicted(E entry);

  /** Number of resident entries. */
  int size();

  /** Bytes of the resident entries. */
  long bytes();

  /**
   * About how much this dataset may hold, for policies that divide their room. May change at any
   * time. Where it was never told, or other datasets leave this one less, the order goes by what
   * was resident after the last victims.
   *
   * @param bytes at least 0
   */
  void capacity(long bytes);

  /**
   * Returns whether the chunk was evicted not long ago, so that a larger cache would still have had
   * it. To be asked before it is added again, which forgets it. What is remembered is bounded by
   * what the order has held at most.
   *
   * @param number of a chunk in the dataset
   */
  boolean wasEvictedLately(long number);
}
