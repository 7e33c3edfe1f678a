package io.skerry.cache;

/**
 * The counters of a chunk cache since the file was opened, and the current contents and limits of
 * the cache. While requests run, the values may be from slightly different moments. Immutable. The
 * constructor and all methods are local and thread-safe; they do not fail.
 *
 * @param hits number of requested chunks that were in the cache
 * @param misses number of requested chunks that were not in the cache
 * @param loads number of chunks that were loaded: read and decoded, or created because they are not
 *     stored
 * @param located number of chunks from which only the section that lists the defined elements was
 *     read
 * @param passed number of chunks that were read directly from the file, bypassing the cache
 * @param prefetched number of chunks that were loaded before a request needed them
 * @param evictions number of chunks that were evicted
 * @param encodes number of chunks that were encoded
 * @param encodedAhead number of chunks that were encoded before their images were needed, and whose
 *     images were kept
 * @param stores number of chunks that were stored by an eviction or a flush
 * @param loadedBytes size in memory of the loaded chunks, in bytes
 * @param stalls number of requests that waited until other requests released memory
 * @param stallNanos total duration of these waits, in nanoseconds
 * @param chunks number of chunks in the cache, including chunks that are being loaded and chunks of
 *     which only the defined elements are known
 * @param bytes size of the chunks in the cache, including their entries, in bytes
 * @param unstoredBytes size of the dirty chunks in the cache, including their entries, in bytes
 * @param quiescent the current quiescent limit in bytes
 * @param active the current active limit in bytes
 */
public record CacheStatistics(
    long hits,
    long misses,
    long loads,
    long located,
    long passed,
    long prefetched,
    long evictions,
    long encodes,
    long encodedAhead,
    long stores,
    long loadedBytes,
    long stalls,
    long stallNanos,
    long chunks,
    long bytes,
    long unstoredBytes,
    long quiescent,
    long active) {

  /**
   * Returns statistics whose counters are the increases since an earlier snapshot, and whose
   * contents and limits are those of this snapshot. Local, thread-safe; does not fail.
   *
   * @param earlier an earlier snapshot of the statistics of the same cache
   * @return the increase of each counter, with the contents and limits of this snapshot
   */
  public CacheStatistics since(CacheStatistics earlier) {
    return new CacheStatistics(
        hits - earlier.hits,
        misses - earlier.misses,
        loads - earlier.loads,
        located - earlier.located,
        passed - earlier.passed,
        prefetched - earlier.prefetched,
        evictions - earlier.evictions,
        encodes - earlier.encodes,
        encodedAhead - earlier.encodedAhead,
        stores - earlier.stores,
        loadedBytes - earlier.loadedBytes,
        stalls - earlier.stalls,
        stallNanos - earlier.stallNanos,
        chunks,
        bytes,
        unstoredBytes,
        quiescent,
        active);
  }

  /**
   * Returns the ratio of hits to requested chunks (hits plus misses), from 0 to 1; 0 if no chunk
   * was requested. Local, thread-safe; does not fail.
   */
  public double hitRatio() {
    return hits + misses == 0 ? 0 : (double) hits / (hits + misses);
  }
}
