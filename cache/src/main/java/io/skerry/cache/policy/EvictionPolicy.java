package io.skerry.cache.policy;

/** Which chunk of a dataset goes first when the cache needs room. */
public enum EvictionPolicy {
  /**
   * The chunk whose last use is longest ago. Good where what was used will be used again soon, as
   * in a region of interest that moves on; a scan of more than the cache holds empties it.
   */
  LRU,

  /**
   * The chunk that was used least often, old uses counting less and less. Good where some chunks
   * are always asked for more than others; slow to learn that favourites have changed.
   */
  LFU,

  /**
   * The chunk that was used last. Good for nothing but reading the same data, more than the cache
   * holds, again and again from the beginning: what was read first stays.
   */
  MRU,

  /**
   * Newcomers wait in a small queue, from which those that are used again go to the main one. Good
   * for almost everything: scans pass through the small queue, and a hit costs a counter.
   *
   * <p>J. Yang, Y. Zhang, Z. Qiu, Y. Yue, K. V. Rashmi: FIFO queues are all you need for cache
   * eviction, SOSP 2023.
   */
  S3_FIFO,

  /**
   * A newcomer takes the place of another chunk only if it was asked for more often lately, also
   * while it was not resident. Best for a stable preference among very many chunks.
   *
   * <p>G. Einziger, R. Friedman, B. Manes: TinyLFU: a highly efficient cache admission policy, ACM
   * Transactions on Storage 13(4), 2017.
   */
  TINY_LFU;

  /**
   * An empty order for the chunks of one dataset.
   *
   * @param <E> the cache's entries
   */
  public <E extends Evictable> EvictionOrder<E> newOrder() {
    return switch (this) {
      case LRU -> new RecencyOrder<>(RecencyOrder.Victim.LEAST_RECENT);
      case LFU -> new FrequencyOrder<>();
      case MRU -> new RecencyOrder<>(RecencyOrder.Victim.MOST_RECENT);
      case S3_FIFO -> new S3FifoOrder<>();
      case TINY_LFU -> new TinyLfuOrder<>();
    };
  }
}
