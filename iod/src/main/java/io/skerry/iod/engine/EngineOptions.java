package io.skerry.iod.engine;

/**
 * Sizes and limits of an open container. They are not stored in the container, and may differ each
 * time it is opened.
 *
 * @param cacheBytes memory for a cache of values and keys, shared by all open shards of the
 *     container, in bytes
 * @param writeBufferBytes memory for changes of one shard that are not in its files yet, in bytes
 * @param largeValueBytes minimum size, in bytes, of values that are stored apart from their keys,
 *     so that the engine does not move them when it reorganizes keys; applies to new values
 * @param threads number of threads that write and reorganize files in the background
 */
public record EngineOptions(
    long cacheBytes, long writeBufferBytes, long largeValueBytes, int threads) {
  /** Options for containers with tiles of a few MiB. */
  public static final EngineOptions DEFAULT = new EngineOptions(256 << 20, 64 << 20, 4096, 2);

  /**
   * Creates options.
   *
   * @throws IllegalArgumentException if the cache is negative, the write buffer below 64 KiB, the
   *     size of large values above {@link Changes#LARGEST_VALUE}, or one of the others below 1
   */
  public EngineOptions {
    atLeast("cacheBytes", 0, cacheBytes);
    atLeast("writeBufferBytes", 1 << 16, writeBufferBytes);
    atLeast("largeValueBytes", 1, largeValueBytes);
    atLeast("threads", 1, threads);
    if (largeValueBytes > Changes.LARGEST_VALUE) {
      throw new IllegalArgumentException(
          "an option is too high: option=largeValueBytes expected=at most "
              + Changes.LARGEST_VALUE
              + " actual="
              + largeValueBytes);
    }
  }

  private static void atLeast(String name, long least, long actual) {
    if (actual < least) {
      throw new IllegalArgumentException(
          "an option is too low: option="
              + name
              + " expected=at least "
              + least
              + " actual="
              + actual);
    }
  }

  /** Returns these options with the given cache size. */
  public EngineOptions withCacheBytes(long bytes) {
    return new EngineOptions(bytes, writeBufferBytes, largeValueBytes, threads);
  }

  /** Returns these options with the given write buffer size. */
  public EngineOptions withWriteBufferBytes(long bytes) {
    return new EngineOptions(cacheBytes, bytes, largeValueBytes, threads);
  }

  /** Returns these options with the given minimum size of large values. */
  public EngineOptions withLargeValueBytes(long bytes) {
    return new EngineOptions(cacheBytes, writeBufferBytes, bytes, threads);
  }

  /** Returns these options with the given number of background threads. */
  public EngineOptions withThreads(int number) {
    return new EngineOptions(cacheBytes, writeBufferBytes, largeValueBytes, number);
  }
}
