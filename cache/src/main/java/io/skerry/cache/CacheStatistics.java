package io.skerry.cache;

/**
 * What a file's chunk cache has done since the file was opened, and what it holds. The counts are
 * those of chunks; read while requests run, they may be a moment apart from each other.
 *
 * @param hits chunks of requests that were in the cache
 * @param misses chunks of requests that were not
 * @param loads chunks fetched and decoded
 * @param located chunks of which only the first section was read
 * @param passed chunks read past the cache
 * @param prefetched loads that nobody had asked for yet
 * @param evictions chunks given up to make room
 * @param encodes chunks encoded
 * @param encodedAhead encodes before anybody needed the image
 * @param stores chunks stored to make room or by a flush
 * @param loadedBytes bytes of the loaded chunks in memory
 * @param stalls requests that had to wait for others' memory
 * @param stallNanos nanoseconds that they waited
 * @param chunks chunks held now
 * @param bytes bytes held now
 * @param unstoredBytes bytes of them that are newer than what is stored
 * @param quiescent the present limit between requests, bytes
 * @param active the present limit while requests run, bytes
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

  /** The counts of what was done since an earlier look; what is held is told as of now. */
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

  /** Hits among hits and misses, from 0 to 1; 0 if there was neither. */
  public double hitRatio() {
    return hits + misses == 0 ? 0 : (double) hits / (hits + misses);
  }
}
