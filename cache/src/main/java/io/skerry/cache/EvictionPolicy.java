package io.skerry.cache;

/** The order in which the chunks of a dataset are evicted. */
public enum EvictionPolicy {
  /**
   * Least recently used first. Suits chunks that are used again soon, as in a moving region of
   * interest; a scan larger than the cache evicts all other chunks.
   */
  LRU,

  /**
   * Least frequently used first, with aging. Suits a stable set of popular chunks; adapts slowly to
   * a new set.
   */
  LFU,

  /**
   * Most recently used first. Suits only repeated scans of more data than the cache holds: the
   * chunks at the beginning are kept.
   */
  MRU,

  /**
   * New chunks enter a small queue; chunks that are then used at least twice move to the main
   * queue. Suits scans, which evict mainly chunks from the small queue. In a loop over slightly
   * more data than the cache holds, few chunks are kept until their next use.
   *
   * <p>J. Yang, Y. Zhang, Z. Qiu, Y. Yue, K. V. Rashmi: FIFO queues are all you need for cache
   * eviction, SOSP 2023.
   */
  S3_FIFO,

  /**
   * A new chunk replaces another chunk only if the new chunk has recently been requested more often
   * (requests that missed count too), or if the new chunk itself was evicted only a short time
   * before. Suits scans, loops over more data than the cache holds, a few popular chunks among
   * many, and data that are read piece by piece.
   *
   * <p>G. Einziger, R. Friedman, B. Manes: TinyLFU: a highly efficient cache admission policy, ACM
   * Transactions on Storage 13(4), 2017; adapted to caches of few large entries.
   */
  TINY_LFU
}
