package io.skerry.cache;

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
   * Newcomers wait in a small queue, from which those that are used again go to the main one. A hit
   * costs a counter, scans pass through the small queue, and new favourites are found at once; of a
   * loop over a little more than the cache holds, next to nothing stays.
   *
   * <p>J. Yang, Y. Zhang, Z. Qiu, Y. Yue, K. V. Rashmi: FIFO queues are all you need for cache
   * eviction, SOSP 2023.
   */
  S3_FIFO,

  /**
   * A newcomer takes the place of another chunk only if it was asked for more often lately, also
   * while it was not resident, or if it comes back so soon that it is plainly needed again. Good
   * for scans, for loops over more than the cache holds, for favourites among very many chunks, and
   * for data that are read piece by piece, of which a chunk is loaded at most twice or so.
   *
   * <p>G. Einziger, R. Friedman, B. Manes: TinyLFU: a highly efficient cache admission policy, ACM
   * Transactions on Storage 13(4), 2017; with changes that caches of few large entries need.
   */
  TINY_LFU
}
