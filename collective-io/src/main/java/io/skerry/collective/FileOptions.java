package io.skerry.collective;

import io.skerry.cache.CacheOptions;
import io.skerry.format.FormatBounds;
import java.util.Optional;

/**
 * How much memory a rank uses for one file and with how many threads, and in which form new objects
 * are written. The same on all ranks where it matters: of limits the greatest decides, the form has
 * to be equal.
 *
 * @param dirtyLimit bytes above which a write flushes. With several ranks they are those of the
 *     dirty chunks of one rank and of the pieces that come to it, and the flush comes before the
 *     write; a rank that is alone counts its dirty chunks when the write is done, and flushes then.
 *     Chunks that the cache has evicted do not count, those that it could evict do: a cache that
 *     may hold more than this many dirty bytes leads to flushes that a smaller one does without
 * @param roundLimit bytes of pieces an owner takes in per round
 * @param readLimit bytes of stored chunks a rank reads per round; a chunk of a 256th of it, or
 *     more, a worker reads by itself
 * @param cache how much memory the chunk cache of a rank takes, and what stays in it
 * @param workers threads that encode and decode on this rank
 * @param overwriting what happens to stored chunks of fixed size
 * @param aheadLimit bytes of whole chunks in one write of one rank from which on they are stored at
 *     once and not kept in memory until the flush
 * @param mode when what is written to chunks is stored; the same on all ranks
 * @param bounds in which form new objects are written; empty: that of the file's age, {@link
 *     FormatBounds#V110} in a new file
 */
public record FileOptions(
    long dirtyLimit,
    long roundLimit,
    long readLimit,
    CacheOptions cache,
    int workers,
    Overwriting overwriting,
    long aheadLimit,
    WriteMode mode,
    Optional<FormatBounds> bounds) {

  /** What happens to a stored chunk of fixed size that one rank overwrites, wholly or in part. */
  public enum Overwriting {
    /**
     * It is written where it stands, past the cache: fast, and in force at once, but a kill in the
     * middle leaves a mixture, as with any other HDF5 library.
     */
    IN_PLACE,
    /** It is written to free space by the next flush, like all other chunks. */
    BY_FLUSH
  }

  private static final long MIB = 1L << 20;

  /** Refuses limits that could not make progress. */
  public FileOptions {
    if (dirtyLimit < 1 || roundLimit < 1 || readLimit < 1 || workers < 1 || aheadLimit < 0) {
      throw new IllegalArgumentException(
          "limits must be positive: dirty="
              + dirtyLimit
              + " round="
              + roundLimit
              + " read="
              + readLimit
              + " workers="
              + workers
              + " ahead="
              + aheadLimit);
    }
  }

  /**
   * 256 MiB dirty, 64 MiB a round, a {@linkplain CacheOptions#standard standard} cache, 8 MiB
   * ahead, one worker per core up to 4.
   */
  public static FileOptions standard() {
    int cores = Runtime.getRuntime().availableProcessors();
    return new FileOptions(
        256 * MIB,
        64 * MIB,
        64 * MIB,
        CacheOptions.standard(),
        Math.clamp(cores, 1, 4),
        Overwriting.IN_PLACE,
        8 * MIB,
        WriteMode.BACK,
        Optional.empty());
  }

  /** The same with another dirty limit. */
  public FileOptions withDirtyLimit(long bytes) {
    return new FileOptions(
        bytes, roundLimit, readLimit, cache, workers, overwriting, aheadLimit, mode, bounds);
  }

  /** The same with another limit per write round. */
  public FileOptions withRoundLimit(long bytes) {
    return new FileOptions(
        dirtyLimit, bytes, readLimit, cache, workers, overwriting, aheadLimit, mode, bounds);
  }

  /** The same with another limit per read round. */
  public FileOptions withReadLimit(long bytes) {
    return new FileOptions(
        dirtyLimit, roundLimit, bytes, cache, workers, overwriting, aheadLimit, mode, bounds);
  }

  /**
   * The same with another chunk cache, as in {@code
   * standard().withCache(CacheOptions.standard().withFixedSize(16 << 20))}. It belongs to this rank
   * alone: the ranks need not agree.
   */
  public FileOptions withCache(CacheOptions other) {
    return new FileOptions(
        dirtyLimit, roundLimit, readLimit, other, workers, overwriting, aheadLimit, mode, bounds);
  }

  /** The same with another number of worker threads. */
  public FileOptions withWorkers(int threads) {
    return new FileOptions(
        dirtyLimit, roundLimit, readLimit, cache, threads, overwriting, aheadLimit, mode, bounds);
  }

  /** The same with another way of overwriting stored chunks of fixed size. */
  public FileOptions withOverwriting(Overwriting how) {
    return new FileOptions(
        dirtyLimit, roundLimit, readLimit, cache, workers, how, aheadLimit, mode, bounds);
  }

  /**
   * The same with another form of new objects. An existing file keeps its superblock, and what it
   * has keeps its form.
   */
  public FileOptions withBounds(FormatBounds form) {
    return new FileOptions(
        dirtyLimit,
        roundLimit,
        readLimit,
        cache,
        workers,
        overwriting,
        aheadLimit,
        mode,
        Optional.of(form));
  }

  /** The same with another size from which on a write of whole chunks is stored at once. */
  public FileOptions withAheadLimit(long bytes) {
    return new FileOptions(
        dirtyLimit, roundLimit, readLimit, cache, workers, overwriting, bytes, mode, bounds);
  }

  /** The same with another time at which what is written to chunks is stored. */
  public FileOptions withWriteMode(WriteMode when) {
    return new FileOptions(
        dirtyLimit, roundLimit, readLimit, cache, workers, overwriting, aheadLimit, when, bounds);
  }
}
