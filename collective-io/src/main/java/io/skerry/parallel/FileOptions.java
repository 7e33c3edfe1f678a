package io.skerry.parallel;

import io.skerry.cache.CacheOptions;
import io.skerry.format.FormatBounds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Options of an open file: memory limits, worker threads, the format of new objects, hints for the
 * MPI library, and the policy for other files that the file names. Immutable. All methods are local
 * and thread-safe; they do not fail unless their documentation states otherwise.
 *
 * <p>The format, the write mode, the trust policy, the virtual view, the treatment of missing
 * sources, the hints, the limits of live readers and the round limit must be equal on all ranks.
 * The round limits are not compared; if they differ, all ranks take part in as many rounds as the
 * rank with the most rounds needs. The other options may differ: each rank applies its own values,
 * and a write flushes if any rank exceeds its dirty limit.
 *
 * <p>No argument may be null.
 */
public final class FileOptions {
  private static final long MIB = 1L << 20;

  private long dirtyLimit = 256 * MIB;
  private long roundLimit = 64 * MIB;
  private long readLimit = Math.min(64 * MIB, Runtime.getRuntime().maxMemory() / 8);
  private CacheOptions cache = CacheOptions.standard();
  private int workers = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 4);
  private Overwriting overwriting = Overwriting.IN_PLACE;
  private long aheadLimit = 8 * MIB;
  private WriteMode mode = WriteMode.BACK;
  private Optional<FormatBounds> bounds = Optional.empty();
  private Map<String, String> hints = Map.of();
  private Trust trust = Trust.ALL;
  private VirtualView virtualView = VirtualView.standard();
  private List<String> virtualPrefix = VirtualPrefix.orOfProcess(List.of());
  private MissingSources missingSources = MissingSources.REFUSED;
  private Locking locking;
  private Optional<LiveReaders> liveReaders = Optional.empty();

  /**
   * The limits on what a writer keeps for readers of earlier epochs. An epoch, the state of the
   * file between two flushes, can be read until one of the limits is exceeded; the newest epoch can
   * always be read. Without {@linkplain Locking#REQUIRED locks}, a writer does not know which
   * epochs are read, and keeps all of them up to the limits; otherwise, it drops epochs that no
   * process reads any longer.
   *
   * @param epochs the number of earlier epochs that are kept, 1 to 100
   * @param bytes the number of bytes of replaced blocks that are kept in the live file, at least 1
   * @param age the time for which an epoch is kept after the next one has replaced it; it is
   *     checked at each flush
   */
  public record LiveReaders(int epochs, long bytes, Duration age) {
    private static final int MOST_EPOCHS = 100;

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException if a limit is outside its range
     */
    public LiveReaders {
      checked("epochs", 1, epochs);
      checked("bytes", 1, bytes);
      if (epochs > MOST_EPOCHS || age.isNegative()) {
        throw new IllegalArgumentException(
            "expected at most %d epochs and a positive age: epochs=%d age=%s"
                .formatted(MOST_EPOCHS, epochs, age));
      }
    }

    /** Returns the default limits: 8 epochs, 1 GiB and 10 minutes. */
    public static LiveReaders standard() {
      return new LiveReaders(8, 1024 * MIB, Duration.ofMinutes(10));
    }
  }

  /**
   * The treatment of a stored chunk of fixed size that a single rank overwrites, wholly or in part.
   */
  public enum Overwriting {
    /**
     * The chunk may be overwritten in place, without the cache. This is fast, but a process that is
     * killed during the write can leave a mixture of old and new bytes, as with other HDF5
     * libraries.
     */
    IN_PLACE,
    /**
     * The write does not overwrite the stored chunk; the new version takes effect at the next
     * flush.
     */
    BY_FLUSH
  }

  /** The treatment of missing sources when a virtual dataset is written. */
  public enum MissingSources {
    /** The write fails, as in other HDF5 libraries. The default. */
    REFUSED,
    /**
     * The write creates the missing source files, and the missing datasets in source files, with
     * the datatype and the fill value of the virtual dataset and the smallest extent that its
     * mappings need. A new file with an absolute name is created at that path; any other is created
     * in the first folder of the {@linkplain #virtualPrefix prefix} or, without a prefix, beside
     * the file with the virtual dataset. The folder must exist.
     */
    CREATED
  }

  private FileOptions(Locking locking) {
    this.locking = locking;
  }

  /**
   * Returns the default options: a dirty limit of 256 MiB, rounds of 64 MiB for writes and for
   * reads (for reads, an eighth of the maximum heap if that is less), the {@linkplain
   * CacheOptions#standard standard} cache, one worker per core up to 4, {@link
   * Overwriting#IN_PLACE}, direct storage of whole chunks if they total at least 8 MiB, {@link
   * WriteMode#BACK}, no format bounds, no hints, {@link Trust#ALL}, the {@linkplain
   * VirtualView#standard standard} view of virtual datasets, {@link MissingSources#REFUSED}, the
   * folders for virtual sources in the environment variable {@value VirtualPrefix#VARIABLE}, and
   * the default locking of the {@linkplain Locking#ofProcess process}.
   *
   * @throws IllegalArgumentException if the system property {@value Locking#PROPERTY} has an
   *     invalid value
   */
  public static FileOptions standard() {
    return new FileOptions(Locking.ofProcess());
  }

  /**
   * Returns the default options of a writer whose file can be followed while it is written: {@link
   * #standard} with {@link #withLiveReaders} and the {@linkplain LiveReaders#standard default}
   * limits.
   *
   * @throws IllegalArgumentException if the system property {@value Locking#PROPERTY} has an
   *     invalid value
   */
  public static FileOptions live() {
    return standard().withLiveReaders(LiveReaders.standard());
  }

  private FileOptions with(Consumer<FileOptions> change) {
    FileOptions copy = new FileOptions(locking);
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
    copy.virtualView = virtualView;
    copy.virtualPrefix = virtualPrefix;
    copy.missingSources = missingSources;
    copy.liveReaders = liveReaders;
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
   * The limit on the dirty chunks of a rank, in bytes; a write that exceeds it flushes the file.
   * The effective limit is at most an eighth of the maximum heap. With several ranks, each rank
   * counts its dirty chunks and the pieces that it is about to receive, and the flush precedes the
   * write. A single rank counts its dirty chunks after the write, and flushes if they exceed the
   * limit. Dirty chunks that the cache has evicted do not count.
   */
  public long dirtyLimit() {
    return dirtyLimit;
  }

  /**
   * Returns these options with a different dirty limit.
   *
   * @param bytes the limit in bytes, at least 1
   * @throws IllegalArgumentException if the limit is not positive
   */
  public FileOptions withDirtyLimit(long bytes) {
    return with(options -> options.dirtyLimit = checked("dirtyLimit", 1, bytes));
  }

  /**
   * The limit in bytes for the data that a rank handles in one round of a write. A round for a
   * single chunk or a single element may exceed the limit. Must be equal on all ranks.
   */
  public long roundLimit() {
    return roundLimit;
  }

  /**
   * Returns these options with a different limit for a write round.
   *
   * @param bytes the limit in bytes, at least 1
   * @throws IllegalArgumentException if the limit is not positive
   */
  public FileOptions withRoundLimit(long bytes) {
    return with(options -> options.roundLimit = checked("roundLimit", 1, bytes));
  }

  /**
   * The limit in bytes for the stored chunks that a rank reads in one round of a collective read;
   * by default 64 MiB, or an eighth of the maximum heap if that is less. Chunks of at least 1/256
   * of this limit are read independently.
   */
  public long readLimit() {
    return readLimit;
  }

  /**
   * Returns these options with a different limit for a read round.
   *
   * @param bytes the limit in bytes, at least 1
   * @throws IllegalArgumentException if the limit is not positive
   */
  public FileOptions withReadLimit(long bytes) {
    return with(options -> options.readLimit = checked("readLimit", 1, bytes));
  }

  /** The options of the chunk cache of this rank. */
  public CacheOptions cache() {
    return cache;
  }

  /**
   * Returns these options with a different chunk cache, as in {@code
   * standard().withCache(CacheOptions.standard().withFixedSize(16 << 20))}.
   *
   * @param other the options of the cache; may differ between ranks
   */
  public FileOptions withCache(CacheOptions other) {
    return with(options -> options.cache = Objects.requireNonNull(other));
  }

  /**
   * The maximum number of threads of this rank that encode and decode chunks together, including
   * the calling thread.
   */
  public int workers() {
    return workers;
  }

  /**
   * Returns these options with a different number of worker threads.
   *
   * @param threads the number of threads including the calling thread, at least 1; each of the
   *     others is started when it is first needed
   * @throws IllegalArgumentException if the number is not positive
   */
  public FileOptions withWorkers(int threads) {
    return with(options -> options.workers = (int) checked("workers", 1, threads));
  }

  /**
   * The treatment of overwritten chunks of fixed size; always {@link Overwriting#BY_FLUSH} if the
   * file can be followed while it is written.
   */
  public Overwriting overwriting() {
    return liveReaders.isPresent() ? Overwriting.BY_FLUSH : overwriting;
  }

  /** Returns these options with a different treatment of overwritten chunks of fixed size. */
  public FileOptions withOverwriting(Overwriting how) {
    return with(options -> options.overwriting = Objects.requireNonNull(how));
  }

  /**
   * The minimum total size, in bytes, of whole chunks that are stored directly: if the whole chunks
   * that only this rank writes in one call have at least this size in total, the rank may store
   * them during the write instead of keeping them in memory until the flush.
   */
  public long aheadLimit() {
    return aheadLimit;
  }

  /**
   * Returns these options with a different minimum total size of whole chunks that are stored
   * directly.
   *
   * @param bytes the size in bytes, at least 0
   * @throws IllegalArgumentException if the size is negative
   */
  public FileOptions withAheadLimit(long bytes) {
    return with(options -> options.aheadLimit = checked("aheadLimit", 0, bytes));
  }

  /** The time at which chunks are stored; equal on all ranks. */
  public WriteMode mode() {
    return mode;
  }

  /** Returns these options with a different write mode. */
  public FileOptions withWriteMode(WriteMode when) {
    return with(options -> options.mode = Objects.requireNonNull(when));
  }

  /**
   * The format of new objects; equal on all ranks. If empty, new objects have the format of the
   * file, and a new file has the format {@link FormatBounds#V110}.
   */
  public Optional<FormatBounds> bounds() {
    return bounds;
  }

  /**
   * Returns these options with a different format for new objects. An existing file keeps its
   * superblock, and existing objects keep their format.
   */
  public FileOptions withBounds(FormatBounds form) {
    return with(options -> options.bounds = Optional.of(form));
  }

  /**
   * The hints that are passed to the MPI library as an {@code MPI_Info} when it opens the file, for
   * example {@code cb_nodes}, the number of ranks that access the file on behalf of all ranks. The
   * library ignores unknown hints. Equal on all ranks.
   */
  public Map<String, String> hints() {
    return hints;
  }

  /**
   * Returns these options with different hints. Skerry itself uses {@code striping_unit}, the size
   * of a stripe in bytes: if a collective write or a flush allocates at least one stripe of space
   * for chunks at the end of the file, this space begins at a stripe boundary.
   *
   * @param other the hints, values by name
   * @throws IllegalArgumentException if {@code striping_unit} is not a decimal number of bytes from
   *     1 to 10^12 - 1
   */
  public FileOptions withHints(Map<String, String> other) {
    Map<String, String> copy = StripeHint.checked(other);
    return with(options -> options.hints = copy);
  }

  /** The policy for other files; equal on all ranks. */
  public Trust trust() {
    return trust;
  }

  /**
   * Returns these options with a different policy for other files that the file names. The default
   * is {@link Trust#ALL}; files of unknown origin should be opened with {@link Trust#SAME_FOLDER}.
   */
  public FileOptions withTrust(Trust policy) {
    return with(options -> options.trust = Objects.requireNonNull(policy));
  }

  /** The extent of virtual datasets with unlimited mappings; equal on all ranks. */
  public VirtualView virtualView() {
    return virtualView;
  }

  /**
   * Returns these options with a different extent of virtual datasets with unlimited mappings,
   * including those that are sources of other virtual datasets.
   */
  public FileOptions withVirtualView(VirtualView view) {
    return with(options -> options.virtualView = Objects.requireNonNull(view));
  }

  /** The folders to search for the sources of virtual datasets. */
  public List<String> virtualPrefix() {
    return virtualPrefix;
  }

  /**
   * Returns these options with different folders to search for source files of virtual datasets
   * before the folder of the file that names them, as with {@code H5Pset_virtual_prefix}. An
   * absolute name is first tried unchanged; then only its last part is searched for in the folders.
   * The {@linkplain Trust policy} applies to the files found. If the environment variable {@value
   * VirtualPrefix#VARIABLE} names folders, separated by colons, these take precedence.
   *
   * @param folders the folders, in the order of the search; <code>${ORIGIN}</code> at the start of
   *     a folder is the folder of the file with the virtual dataset
   */
  public FileOptions withVirtualPrefix(String... folders) {
    return with(options -> options.virtualPrefix = VirtualPrefix.orOfProcess(List.of(folders)));
  }

  /** The treatment of missing sources when a virtual dataset is written; equal on all ranks. */
  public MissingSources missingSources() {
    return missingSources;
  }

  /** Returns these options with a different treatment of missing sources of virtual datasets. */
  public FileOptions withMissingSources(MissingSources how) {
    return with(options -> options.missingSources = Objects.requireNonNull(how));
  }

  /**
   * The use of file locks, which prevent conflicting access by other programs. May differ between
   * ranks.
   */
  public Locking locking() {
    return locking;
  }

  /**
   * Returns these options with a different use of file locks, for example for a file system without
   * locks. The default is that of the {@linkplain Locking#ofProcess process}.
   */
  public FileOptions withLocking(Locking how) {
    return with(options -> options.locking = Objects.requireNonNull(how));
  }

  /**
   * The limits on what a writer keeps for readers that follow the file; empty if the file cannot be
   * followed. Equal on all ranks.
   */
  public Optional<LiveReaders> liveReaders() {
    return liveReaders;
  }

  /**
   * Returns these options for a file that other processes can follow while it is open for writing.
   * Each flush then publishes an epoch in a file with the name of the HDF5 file and the suffix
   * {@code .live}, and saves the blocks that it replaces there; freed space is reused only when no
   * epoch that is kept needs it. The file is removed when the HDF5 file is closed. The file system
   * must be coherent: a read returns what another process has written before. NFS does not ensure
   * this between hosts. The options have no effect on a file that is open for reading.
   *
   * @param limits the limits on what is kept for readers of earlier epochs
   */
  public FileOptions withLiveReaders(LiveReaders limits) {
    return with(options -> options.liveReaders = Optional.of(limits));
  }

  /** The size of a stripe in bytes according to the hints; 1 if the hints do not specify it. */
  public long stripe() {
    return StripeHint.bytes(hints);
  }

  @Override
  public String toString() {
    String others =
        (locking == Locking.REQUIRED ? "" : " locking=" + locking)
            + bounds.map(form -> " bounds=" + form).orElse("")
            + (hints.isEmpty() ? "" : " hints=" + hints)
            + (trust == Trust.ALL ? "" : " trust=" + trust)
            + (virtualView.equals(VirtualView.standard()) ? "" : " " + virtualView)
            + (virtualPrefix.isEmpty() ? "" : " virtualPrefix=" + virtualPrefix)
            + (missingSources == MissingSources.REFUSED ? "" : " missingSources=" + missingSources)
            + liveReaders.map(limits -> " " + limits).orElse("");
    String limits =
        "dirty=%d round=%d read=%d ahead=%d workers=%d"
            .formatted(dirtyLimit, roundLimit, readLimit, aheadLimit, workers);
    return limits + " overwriting=" + overwriting() + " mode=" + mode + others + " cache=" + cache;
  }
}
