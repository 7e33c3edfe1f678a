package io.skerry.cache;

/**
 * The options of the chunk cache of a file: limits of memory and the choice of victims. The
 * defaults suit most programs: the cache grows with use up to {@link #most()}, and shrinks again.
 * Immutable.
 *
 * <p>Options for special cases:
 *
 * <ul>
 *   <li><b>Memory is short</b>, or many files are open at once: {@link #withFixedSize}, or {@link
 *       #withLimits} with a smaller {@code most}.
 *   <li><b>The working set is larger than a quarter of the JVM's memory</b>, as when an array is
 *       read by columns and one column of chunks does not fit: {@link #withLimits} with a larger
 *       {@code most}. Statistics with more loads than there are chunks show this.
 *   <li><b>Everything is read once</b>, whole chunks at a time: the defaults. Chunks that are not
 *       read again take memory only until it is needed otherwise; {@code withFixedSize(0)} keeps no
 *       chunk.
 *   <li><b>Chunks are read or written piece by piece, once each</b>: the defaults, or {@link
 *       #withPreemption} nearer to 1. <b>Whole chunks are read repeatedly</b>: nearer to 0.
 *   <li><b>Chunks are read in random order</b> from slow storage: {@link #withPrefetch} of 0 avoids
 *       useless loads.
 * </ul>
 *
 * <p>The counterparts in the C library:
 *
 * <table>
 *   <caption>Parameters of H5Pset_cache and H5Pset_chunk_cache</caption>
 *   <tr><td>{@code rdcc_nbytes}</td><td>{@link #withFixedSize}, for the file and not for each
 *       dataset: the datasets of a file share one cache, each with a {@link #datasetMinimum}</td></tr>
 *   <tr><td>{@code rdcc_nslots}</td><td>none: the table of chunks grows, and chunks are not evicted
 *       because their hash values collide</td></tr>
 *   <tr><td>{@code rdcc_w0}</td><td>{@link #withPreemption}, 0.75 by default as well</td></tr>
 *   <tr><td>{@code rdcc_nbytes} of 0, "cache disabled"</td><td>{@code withFixedSize(0)}; a request
 *       for a part of a chunk still loads the chunk</td></tr>
 * </table>
 *
 * <p><b>Guarantees of the limits.</b> Bytes are those of chunks in memory, with their entries in
 * the tables. Without a running request the cache holds at most {@code quiescent} bytes; a single
 * larger chunk is kept while it is accessed piece by piece, and chunks that could not be stored are
 * kept. While requests run, the cache holds at most {@code active} bytes, or one chunk if that is
 * larger, and in addition:
 *
 * <ul>
 *   <li>prefetched chunks, up to an eighth of {@code quiescent}, and one chunk that is encoded
 *       ahead,
 *   <li>if sizes are unknown in advance, since chunks are sparse or have values of variable length:
 *       the bytes by which the chunks of one part of a request exceed the largest recent chunk; the
 *       first chunks of a dataset are assumed to be full,
 *   <li>after a limit was lowered, or has shrunk: the bytes that running requests were admitted
 *       with, until they end,
 *   <li>chunks that only a flush can store: those of several ranks, and those with an implicit
 *       index; and chunks that the library inserts without a request.
 * </ul>
 *
 * <p>Not counted are evicted chunks that a request still uses (found in the cache, or within the
 * bytes that it was admitted with), new versions before they are published, and the images of
 * chunks that are being stored: 32 MiB of chunks, or one chunk, at a time.
 *
 * @param quiescent bytes of chunks that are kept without a request; 0 keeps no stored chunk
 * @param active bytes of chunks while requests run, at least {@code quiescent}
 * @param most bytes up to which the quiescent limit grows if chunks in repeated use fit then, at
 *     least {@code quiescent}; if equal, the limit is fixed
 * @param datasetMinimum bytes of each dataset that other datasets do not evict, within the limits;
 *     less if many datasets have chunks in the cache
 * @param policy the order in which the chunks of a dataset are evicted
 * @param preemption the preference for evicting chunks that were accessed as a whole before those
 *     that were accessed in part, from 0 (none) to 1 (all of them first); {@code w0} of HDF5
 * @param prefetch number of chunks that are loaded ahead in a recognised scan; 0 for none
 */
public record CacheOptions(
    long quiescent,
    long active,
    long most,
    long datasetMinimum,
    EvictionPolicy policy,
    double preemption,
    int prefetch) {

  private static final long MIB = 1L << 20;

  /** The share of the heap up to which the cache grows by default. */
  private static final int SHARE_OF_HEAP = 4;

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if a value is negative, or the limits contradict each other
   */
  public CacheOptions {
    if (quiescent < 0 || active < Math.max(1, quiescent) || most < quiescent) {
      throw new IllegalArgumentException(
          "limits of the chunk cache must grow from quiescent to active and to most: quiescent="
              + quiescent
              + " active="
              + active
              + " most="
              + most);
    }
    if (datasetMinimum < 0) {
      throw new IllegalArgumentException(
          "a dataset's minimum must not be negative: datasetMinimum=" + datasetMinimum);
    }
    if (!(preemption >= 0 && preemption <= 1)) {
      throw new IllegalArgumentException(
          "the preemption weight must be from 0 to 1: preemption=" + preemption);
    }
    if (prefetch < 0) {
      throw new IllegalArgumentException("prefetch must not be negative: prefetch=" + prefetch);
    }
  }

  /**
   * The default options: 64 MiB that grow to a quarter of the heap, twice that while requests run,
   * a minimum of 10 MiB for each dataset, and a preemption weight of 0.75 as in HDF5. Local,
   * thread-safe; does not fail.
   */
  public static CacheOptions standard() {
    long most = Math.max(64 * MIB, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    return new CacheOptions(64 * MIB, 128 * MIB, most, 10 * MIB, EvictionPolicy.TINY_LFU, 0.75, 2);
  }

  /**
   * Returns these options with a fixed quiescent limit; {@code active} is twice as large. Local,
   * thread-safe.
   *
   * @param bytes the quiescent limit, at least 0
   * @throws IllegalArgumentException if the limit is negative
   */
  public CacheOptions withFixedSize(long bytes) {
    return new CacheOptions(
        bytes,
        Math.max(1, bytes > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * bytes),
        bytes,
        datasetMinimum,
        policy,
        preemption,
        prefetch);
  }

  /**
   * Returns these options with other limits, in bytes. Local, thread-safe.
   *
   * @throws IllegalArgumentException if a limit is negative, or the limits contradict each other
   */
  public CacheOptions withLimits(long quiescentBytes, long activeBytes, long mostBytes) {
    return new CacheOptions(
        quiescentBytes, activeBytes, mostBytes, datasetMinimum, policy, preemption, prefetch);
  }

  /**
   * Returns these options with another minimum of each dataset, in bytes. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the minimum is negative
   */
  public CacheOptions withDatasetMinimum(long bytes) {
    return new CacheOptions(quiescent, active, most, bytes, policy, preemption, prefetch);
  }

  /** Returns these options with another eviction policy. Local, thread-safe; does not fail. */
  public CacheOptions withPolicy(EvictionPolicy other) {
    return new CacheOptions(quiescent, active, most, datasetMinimum, other, preemption, prefetch);
  }

  /**
   * Returns these options with another preemption weight, from 0 to 1. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the weight is not from 0 to 1
   */
  public CacheOptions withPreemption(double weight) {
    return new CacheOptions(quiescent, active, most, datasetMinimum, policy, weight, prefetch);
  }

  /**
   * Returns these options with another number of prefetched chunks; 0 for none. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public CacheOptions withPrefetch(int chunks) {
    return new CacheOptions(quiescent, active, most, datasetMinimum, policy, preemption, chunks);
  }
}
