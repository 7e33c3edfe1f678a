package io.skerry.cache;

/**
 * How much memory a file's chunk cache may take, and how it decides what stays. Nobody has to set
 * any of it: the cache grows with what is used, up to {@link #most()}, and shrinks again.
 *
 * <p>What to set when:
 *
 * <ul>
 *   <li><b>Memory is short</b>, or many files are open at once: {@link #withFixedSize}, or {@link
 *       #withLimits} with a smaller {@code most}.
 *   <li><b>The working set is larger than a quarter of the JVM's memory</b>, as when an array is
 *       read by columns and one column of chunks does not fit: {@link #withLimits} with a larger
 *       {@code most}. Statistics with more loads than there are chunks tell that this is so.
 *   <li><b>Everything is read once</b>, whole chunks at a time: nothing. What is read past the
 *       cache or not read again costs memory only until something else needs it; {@code
 *       withFixedSize(0)} keeps nothing at all.
 *   <li><b>Chunks are read or written piece by piece, once each</b>: nothing, or {@link
 *       #withPreemption} nearer to 1. <b>Whole chunks are read again and again</b>: nearer to 0.
 *   <li><b>The order of chunks is random</b>, and the storage slow: {@link #withPrefetch} of 0
 *       spares guesses.
 * </ul>
 *
 * <p>For those who know the C library:
 *
 * <table>
 *   <caption>Parameters of H5Pset_cache and H5Pset_chunk_cache</caption>
 *   <tr><td>{@code rdcc_nbytes}</td><td>{@link #withFixedSize}; for the file and not for each
 *       dataset, since its datasets share one cache, each with {@link #datasetMinimum} of its own. Its
 *       small default is no reason to set anything here</td></tr>
 *   <tr><td>{@code rdcc_nslots}</td><td>nothing: the table of chunks grows, and no chunk evicts
 *       another because their numbers collide</td></tr>
 *   <tr><td>{@code rdcc_w0}</td><td>{@link #withPreemption}; 0.75 here too</td></tr>
 *   <tr><td>{@code rdcc_nbytes} of 0, "cache disabled"</td><td>{@code withFixedSize(0)}; a chunk
 *       that a request takes parts of is loaded all the same</td></tr>
 * </table>
 *
 * <p><b>What the limits promise.</b> Bytes are those of chunks in memory form, with what is needed
 * to find them. When no request runs, there are at most {@code quiescent}; one chunk that is larger
 * than that stays while it is used piece by piece, and what could not be stored stays. While
 * requests run, there are at most {@code active}, or the bytes of one chunk if that is more, and on
 * top:
 *
 * <ul>
 *   <li>what is on its way ahead: chunks of an eighth of {@code quiescent}, and one encoded image,
 *   <li>where sizes are not known before, because chunks are sparse or hold values of variable
 *       length, the bytes by which the chunks of one part of a request turn out larger than the
 *       largest that came lately; the first ones of a dataset are taken to be full,
 *   <li>after a limit was lowered, or has fallen by itself, what requests were admitted with
 *       before, until they end,
 *   <li>chunks that only a flush can store, until it does: those of several ranks, and those under
 *       an implicit index; and chunks that the library puts into the cache past requests.
 * </ul>
 *
 * <p>What a request holds of a chunk that is no longer cached comes on top of all that: chunks that
 * it found in memory, and of others never more than it was admitted with. So do versions that it
 * has made and not published, and the images of chunks that are just being stored, 32 MiB of chunks
 * or one at a time.
 *
 * @param quiescent bytes of chunks that stay between requests; 0 keeps nothing that is stored
 * @param active bytes of chunks while requests run; at least {@code quiescent}
 * @param most bytes up to which the quiescent limit may grow by itself, when what is used again and
 *     again would fit then; at least {@code quiescent}. Equal to it, nothing grows
 * @param datasetMinimum bytes that other datasets do not take from one, as long as the limits hold;
 *     less if many datasets have chunks in the cache
 * @param policy which chunk of a dataset goes first
 * @param preemption how far chunks that were read or written as a whole go before those of which a
 *     part was, from 0 (only the policy decides) to 1 (all of them first); HDF5's {@code w0}
 * @param prefetch chunks that are loaded ahead where a scan is recognised; 0 turns it off
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

  /** Of the memory that the JVM may use, what the cache grows to by itself. */
  private static final int SHARE_OF_HEAP = 4;

  /** Refuses what could not hold. */
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
   * 64 MiB that grow up to a quarter of the JVM's memory, twice that while requests run, 10 MiB per
   * dataset, and HDF5's preemption weight of 0.75.
   */
  public static CacheOptions standard() {
    long most = Math.max(64 * MIB, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    return new CacheOptions(64 * MIB, 128 * MIB, most, 10 * MIB, EvictionPolicy.TINY_LFU, 0.75, 2);
  }

  /**
   * The same with other limits that stay as they are: {@code active} is twice {@code quiescent}.
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

  /** The same with other limits. */
  public CacheOptions withLimits(long quiescentBytes, long activeBytes, long mostBytes) {
    return new CacheOptions(
        quiescentBytes, activeBytes, mostBytes, datasetMinimum, policy, preemption, prefetch);
  }

  /** The same with another minimum per dataset. */
  public CacheOptions withDatasetMinimum(long bytes) {
    return new CacheOptions(quiescent, active, most, bytes, policy, preemption, prefetch);
  }

  /** The same with another policy. */
  public CacheOptions withPolicy(EvictionPolicy other) {
    return new CacheOptions(quiescent, active, most, datasetMinimum, other, preemption, prefetch);
  }

  /** The same with another preemption weight. */
  public CacheOptions withPreemption(double weight) {
    return new CacheOptions(quiescent, active, most, datasetMinimum, policy, weight, prefetch);
  }

  /** The same with another depth of prefetching. */
  public CacheOptions withPrefetch(int chunks) {
    return new CacheOptions(quiescent, active, most, datasetMinimum, policy, preemption, chunks);
  }
}
