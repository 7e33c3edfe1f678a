package io.skerry.parallel;

import io.skerry.cache.CacheOptions;
import io.skerry.format.FormatBounds;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How much memory a rank uses for one file and with how many threads, in which form new objects are
 * written, what the MPI library is told of the file, and which other files it may name. The same on
 * all ranks where it matters: of limits the greatest decides; form, write mode and hints have to be
 * equal. Immutable.
 */
public final class FileOptions {
  private static final long MIB = 1L << 20;

  /** A hint that MPI reserves (MPI 3.1, section 13.2.8): bytes of a stripe. */
  private static final String STRIPING_UNIT = "striping_unit";

  private long dirtyLimit = 256 * MIB;
  private long roundLimit = 64 * MIB;
  private long readLimit = 64 * MIB;
  private CacheOptions cache = CacheOptions.standard();
  private int workers = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 4);
  private Overwriting overwriting = Overwriting.IN_PLACE;
  private long aheadLimit = 8 * MIB;
  private WriteMode mode = WriteMode.BACK;
  private Optional<FormatBounds> bounds = Optional.empty();
  private Map<String, String> hints = Map.of();
  private Trust trust = Trust.ALL;
  private Locking locking = Locking.ofProcess();

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

  private FileOptions() {}

  /**
   * 256 MiB dirty, 64 MiB a round, a {@linkplain CacheOptions#standard standard} cache, 8 MiB
   * ahead, one worker per core up to 4, no hints, trust in all files that a file names.
   */
  public static FileOptions standard() {
    return new FileOptions();
  }

  /** A copy in which something is different. */
  private FileOptions with(Consumer<FileOptions> change) {
    FileOptions copy = new FileOptions();
    copy.dirtyLimit = dirtyLimit;
    copy.roundLimit = roundLimit;
    copy.readLimit = readLimit;
    copy.cache = cache;
    copy.workers = workers;
    copy.overwriting = overwriting;
    copy.aheadLimit = aheadLimit;
    copy.mode = mode;
    copy.bounds = bounds;
    copy.hints = hints;
    copy.trust = trust;
    copy.locking = locking;
    change.accept(copy);
    return copy;
  }

  private static long checked(String name, long least, long value) {
    if (value < least) {
      throw new IllegalArgumentException(
          "an option must be at least " + least + ": " + name + "=" + value);
    }
    return value;
  }

  /**
   * Bytes above which a write flushes; an eighth of the heap if that is less. With several ranks
   * they are those of the dirty chunks of one rank and of the pieces that come to it, and the flush
   * comes before the write; a rank that is alone counts its dirty chunks when the write is done,
   * and flushes then. Chunks that the cache has evicted do not count, those that it could evict do:
   * a cache that may hold more than this many dirty bytes leads to flushes that a smaller one does
   * without.
   */
  public long dirtyLimit() {
    return dirtyLimit;
  }

  /**
   * The same with another dirty limit.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public FileOptions withDirtyLimit(long bytes) {
    return with(options -> options.dirtyLimit = checked("dirtyLimit", 1, bytes));
  }

  /**
   * Bytes of pieces an owner takes in per round; of large writes of whole chunks, bytes that a rank
   * writes per round, while it encodes the next.
   */
  public long roundLimit() {
    return roundLimit;
  }

  /**
   * The same with another limit per write round.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public FileOptions withRoundLimit(long bytes) {
    return with(options -> options.roundLimit = checked("roundLimit", 1, bytes));
  }

  /**
   * Bytes of stored chunks a rank reads per round; a chunk of a 256th of it, or more, a worker
   * reads by itself.
   */
  public long readLimit() {
    return readLimit;
  }

  /**
   * The same with another limit per read round.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public FileOptions withReadLimit(long bytes) {
    return with(options -> options.readLimit = checked("readLimit", 1, bytes));
  }

  /** How much memory the chunk cache of a rank takes, and what stays in it. */
  public CacheOptions cache() {
    return cache;
  }

  /**
   * The same with another chunk cache, as in {@code
   * standard().withCache(CacheOptions.standard().withFixedSize(16 << 20))}. It belongs to this rank
   * alone: the ranks need not agree.
   */
  public FileOptions withCache(CacheOptions other) {
    return with(options -> options.cache = other);
  }

  /** Threads that encode and decode on this rank. */
  public int workers() {
    return workers;
  }

  /**
   * The same with another number of worker threads.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public FileOptions withWorkers(int threads) {
    return with(options -> options.workers = (int) checked("workers", 1, threads));
  }

  /** What happens to stored chunks of fixed size. */
  public Overwriting overwriting() {
    return overwriting;
  }

  /** The same with another way of overwriting stored chunks of fixed size. */
  public FileOptions withOverwriting(Overwriting how) {
    return with(options -> options.overwriting = how);
  }

  /**
   * Bytes of whole chunks in one write of one rank from which on they are stored at once and not
   * kept in memory until the flush.
   */
  public long aheadLimit() {
    return aheadLimit;
  }

  /**
   * The same with another size from which on a write of whole chunks is stored at once.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public FileOptions withAheadLimit(long bytes) {
    return with(options -> options.aheadLimit = checked("aheadLimit", 0, bytes));
  }

  /** When what is written to chunks is stored; the same on all ranks. */
  public WriteMode mode() {
    return mode;
  }

  /** The same with another time at which what is written to chunks is stored. */
  public FileOptions withWriteMode(WriteMode when) {
    return with(options -> options.mode = when);
  }

  /**
   * In which form new objects are written; empty: that of the file's age, {@link FormatBounds#V110}
   * in a new file. The same on all ranks.
   */
  public Optional<FormatBounds> bounds() {
    return bounds;
  }

  /**
   * The same with another form of new objects. An existing file keeps its superblock, and what it
   * has keeps its form.
   */
  public FileOptions withBounds(FormatBounds form) {
    return with(options -> options.bounds = Optional.of(form));
  }

  /**
   * What the MPI library is told when it opens the file, an {@code MPI_Info}: {@code cb_nodes}, the
   * number of ranks that write for all, {@code cb_buffer_size}, {@code striping_factor} and so on.
   * The library ignores what it does not know. The same on all ranks.
   */
  public Map<String, String> hints() {
    return hints;
  }

  /**
   * The same with other hints. {@code striping_unit}, in bytes, is also heeded here: what the ranks
   * write together at the end of the file begins with a stripe if it is at least as long as one.
   *
   * @throws IllegalArgumentException if {@code striping_unit} is not a number of bytes
   */
  public FileOptions withHints(Map<String, String> other) {
    Map<String, String> copy = Map.copyOf(other);
    String unit = copy.getOrDefault(STRIPING_UNIT, "1");
    if (!unit.matches("[1-9][0-9]{0,11}")) {
      throw new IllegalArgumentException("not a number of bytes: " + STRIPING_UNIT + "=" + unit);
    }
    return with(options -> options.hints = copy);
  }

  /** The other files that the file may name; the same on all ranks. */
  public Trust trust() {
    return trust;
  }

  /**
   * The same with another policy for the other files that the file names. It is {@link Trust#ALL}
   * by default; files from elsewhere should be opened with {@link Trust#SAME_FOLDER}.
   */
  public FileOptions withTrust(Trust policy) {
    return with(options -> options.trust = policy);
  }

  /** Use of locks, which keep other programs from the file. Each rank has its own. */
  public Locking locking() {
    return locking;
  }

  /**
   * The same with another use of locks, for a file system that has none. What is not chosen is what
   * the {@linkplain Locking#ofProcess process} does.
   */
  public FileOptions withLocking(Locking how) {
    return with(options -> options.locking = how);
  }

  /** Bytes of a stripe of the file, as the hints have them; 1 if they do not say. */
  public long stripe() {
    return Long.parseLong(hints.getOrDefault(STRIPING_UNIT, "1"));
  }

  @Override
  public String toString() {
    return "dirty="
        + dirtyLimit
        + " round="
        + roundLimit
        + " read="
        + readLimit
        + " ahead="
        + aheadLimit
        + " workers="
        + workers
        + " overwriting="
        + overwriting
        + " mode="
        + mode
        + (locking == Locking.REQUIRED ? "" : " locking=" + locking)
        + bounds.map(form -> " bounds=" + form).orElse("")
        + (hints.isEmpty() ? "" : " hints=" + hints)
        + (trust == Trust.ALL ? "" : " trust=" + trust)
        + " cache="
        + cache;
  }
}
