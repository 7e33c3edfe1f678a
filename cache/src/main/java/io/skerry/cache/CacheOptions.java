package io.skerry.cache;

import java.util.Objects;

/**
 * Options of the chunk cache of a file: memory limits, eviction, and prefetching. The defaults suit
 * most programs: the limit for the chunks that are kept between requests grows with use, up to
 * {@link #most()} bytes, and shrinks again if a higher limit would not have avoided the recent
 * loads. Immutable.
 *
 * <p>Options for special cases:
 *
 * <ul>
 *   <li><b>Memory is short</b>, or many files are open at once: {@link #withFixedSize}, or {@link
 *       #withLimits} with a smaller {@code most}.
 *   <li><b>The working set is larger than a quarter of the maximum heap</b>, for example because an
 *       array is read by columns and one column of chunks does not fit: {@link #withLimits} with a
 *       larger {@code most}. In this case, the statistics show more loads than there are chunks.
 *   <li><b>Everything is read once</b>, whole chunks at a time: the defaults. Chunks that are not
 *       read again occupy memory only until other chunks need it; {@code withFixedSize(0)} keeps no
 *       chunk.
 *   <li><b>Each chunk is read or written once, piece by piece</b>: the defaults, or {@link
 *       #withPreemption} with a weight closer to 1. <b>Whole chunks are read repeatedly</b>: a
 *       weight closer to 0.
 *   <li><b>Chunks are read in random order</b> from slow storage: {@code withPrefetch(0)}, which
 *       avoids useless loads.
 * </ul>
 *
 * <p>The counterparts in the C library:
 *
 * <table>
 *   <caption>Parameters of H5Pset_cache and H5Pset_chunk_cache</caption>
 *   <tr><td>{@code rdcc_nbytes}</td><td>{@link #withFixedSize}, which applies to the file
 *       rather than to each dataset: the datasets of a file share one cache, each with a {@link
 *       #datasetMinimum}</td></tr>
 *   <tr><td>{@code rdcc_nslots}</td><td>none: the table of chunks grows, and no chunk is
 *       evicted because of a hash collision</td></tr>
 *   <tr><td>{@code rdcc_w0}</td><td>{@link #withPreemption}; the default is 0.75, as in
 *       the C library</td></tr>
 *   <tr><td>{@code rdcc_nbytes} of 0, "cache disabled"</td><td>{@code withFixedSize(0)};
 *       a request for a part of a chunk still loads the chunk</td></tr>
 * </table>
 *
 * <p><b>Guarantees of the limits.</b> The limits apply to the size of the chunks in memory,
 * including their entries in the tables; {@code quiescent} and {@code active} denote the current
 * limits, which may have grown. While no request runs, the cache holds at most {@code quiescent}
 * bytes, with three exceptions: a single larger chunk is kept while it is accessed piece by piece,
 * and chunks that could not be stored or that only a flush can store are kept. While requests run,
 * the cache holds at most {@code active} bytes, or one chunk if that is larger, and in addition:
 *
 * <ul>
 *   <li>prefetched chunks, up to an eighth of {@code quiescent}, and one chunk that is encoded
 *       ahead,
 *   <li>if chunk sizes are unknown in advance, because chunks are sparse or have values of variable
 *       length: the bytes by which the chunks of one part of a request exceed their estimated
 *       sizes; the estimate for a chunk is the size of the largest recent chunk of the dataset, or
 *       that of a full chunk for the first chunks,
 *   <li>after the program has lowered a limit, or a limit has shrunk by itself: the bytes that
 *       running requests were granted, until these requests end,
 *   <li>chunks that only a flush can store, namely unstored chunks of a file that several ranks
 *       have open and unstored chunks of datasets with an implicit index; and chunks that the
 *       library inserts without a request.
 * </ul>
 *
 * <p>The following memory is not counted: evicted chunks that a request still uses (the request
 * found these chunks in the cache, or their sizes are part of the memory granted to it), new
 * versions before they are published, and the images of chunks that are being stored (an eviction
 * stores at most 32 MiB of chunks plus one chunk at a time; a flush stores all dirty chunks
 * together).
 *
 * @param quiescent the quiescent limit: maximum size in bytes of the chunks that are kept while no
 *     request runs; 0 keeps no stored chunk
 * @param active the active limit: maximum size in bytes of the chunks while requests run, at least
 *     1 and at least {@code quiescent}
 * @param most the value in bytes up to which the quiescent limit may grow if chunks in repeated use
 *     would then fit, at least {@code quiescent}; if the two are equal, the limit is fixed
 * @param datasetMinimum minimum size in bytes of the chunks that each dataset keeps while other
 *     datasets need memory, as far as the limits allow; reduced if many datasets have chunks in the
 *     cache
 * @param policy the order in which the chunks of a dataset are evicted
 * @param preemption weight with which chunks accessed as a whole are evicted before chunks accessed
 *     in part, from 0 (no preference) to 1 (among the next 128 chunks of a dataset, all chunks
 *     accessed as a whole are evicted first); the parameter {@code rdcc_w0} of HDF5
 * @param prefetch number of future requests of a recognized scan whose chunks are prefetched; 0 for
 *     none
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

  /** By default, the quiescent limit may grow to the maximum heap size divided by this number. */
  private static final int SHARE_OF_HEAP = 4;

  /**
   * Creates options. Local, thread-safe.
   *
   * @throws IllegalArgumentException if a value is out of range, or the limits contradict each
   *     other
   */
  public CacheOptions {
    Objects.requireNonNull(policy);
    if (quiescent < 0 || active < Math.max(1, quiescent) || most < quiescent) {
      throw new IllegalArgumentException(
          "the active and the greatest limit of the chunk cache must not be below the quiescent one"
              + ", and the active one must be positive: quiescent="
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
   * Returns the default options: a quiescent limit of 64 MiB that can grow to a quarter of the
   * maximum heap, an active limit of 128 MiB that grows with the quiescent limit, a minimum of 10
   * MiB for each dataset, the policy {@link EvictionPolicy#TINY_LFU}, a preemption weight of 0.75
   * as in HDF5, and prefetching for the next two requests of a scan. With a maximum heap of less
   * than 512 MiB, the quiescent limit is an eighth and the active limit a quarter of the heap.
   * Local, thread-safe; does not fail.
   */
  public static CacheOptions standard() {
    long most = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
    return new CacheOptions(
        Math.min(64 * MIB, most / 2),
        Math.min(128 * MIB, most),
        most,
        10 * MIB,
        EvictionPolicy.TINY_LFU,
        0.75,
        2);
  }

  /**
   * Returns these options with a fixed quiescent limit. The active limit is twice as large, but at
   * least 1 byte. Local, thread-safe.
   *
   * @param bytes the quiescent limit in bytes, at least 0
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
   * Returns these options with different limits, in bytes. Local, thread-safe.
   *
   * @param quiescentBytes the limit in bytes while no request runs, at least 0
   * @param activeBytes the limit in bytes while requests run, at least 1 and at least {@code
   *     quiescentBytes}
   * @param mostBytes the value in bytes up to which the quiescent limit may grow, at least {@code
   *     quiescentBytes}
   * @throws IllegalArgumentException if a limit is less than its minimum
   */
  public CacheOptions withLimits(long quiescentBytes, long activeBytes, long mostBytes) {
    return new CacheOptions(
        quiescentBytes, activeBytes, mostBytes, datasetMinimum, policy, preemption, prefetch);
  }

  /**
   * Returns these options with a different minimum for each dataset. Local, thread-safe.
   *
   * @param bytes the minimum in bytes, at least 0
   * @throws IllegalArgumentException if the minimum is negative
   */
  public CacheOptions withDatasetMinimum(long bytes) {
    return new CacheOptions(quiescent, active, most, bytes, policy, preemption, prefetch);
  }

  /**
   * Returns these options with a different eviction policy. Local, thread-safe; does not fail.
   *
   * @param other the order in which the chunks of a dataset are evicted
   */
  public CacheOptions withPolicy(EvictionPolicy other) {
    return new CacheOptions(quiescent, active, most, datasetMinimum, other, preemption, prefetch);
  }

  /**
   * Returns these options with a different preemption weight. Local, thread-safe.
   *
   * @param weight the weight with which chunks accessed as a whole are evicted first, from 0 to 1
   * @throws IllegalArgumentException if the weight is not from 0 to 1
   */
  public CacheOptions withPreemption(double weight) {
    return new CacheOptions(quiescent, active, most, datasetMinimum, policy, weight, prefetch);
  }

  /**
   * Returns these options with a different prefetch distance. Local, thread-safe.
   *
   * @param requests the number of future requests of a recognized scan whose chunks are prefetched;
   *     0 for none
   * @throws IllegalArgumentException if the number is negative
   */
  public CacheOptions withPrefetch(int requests) {
    return new CacheOptions(quiescent, active, most, datasetMinimum, policy, preemption, requests);
  }
}
