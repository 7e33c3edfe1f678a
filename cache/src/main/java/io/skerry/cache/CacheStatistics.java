package io.skerry.cache;

/**
 * The counters of a chunk cache since the file was opened, and its contents. Counters count chunks;
 * while requests run, they may be from slightly different moments.
 *
 * @param hits chunks of requests that were in the cache
 * @param misses chunks of requests that were not in the cache
 * @param loads chunks that were read and decoded
 * @param located chunks of which only the first section was read
 * @param passed chunks that were read without the cache
 * @param prefetched loads ahead of a request
 * @param evictions chunks that were evicted
 * @param encodes chunks that were encoded
 * @param encodedAhead encodes before the image was needed
 * @param stores chunks that were stored by an eviction or a flush
 * @param loadedBytes bytes of the loaded chunks in memory
 * @param stalls requests that waited for memory of other requests
 * @param stallNanos duration of these waits in nanoseconds
 * @param chunks chunks in the cache
 * @param bytes bytes of chunks in the cache
 * @param unstoredBytes bytes of dirty chunks in the cache
 * @param quiescent the present quiescent limit in bytes
 * @param active the present active limit in bytes
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
   * Returns the counters since earlier statistics, with the present contents. Local, thread-safe;
   * does not fail.
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
   * The share of hits among hits and misses, from 0 to 1; 0 if there are neither. Local,
   * thread-safe; does not fail.
   */
  public double hitRatio() {
    return hits + misses == 0 ? 0 : (double) hits / (hits + misses);
  }
}
