package io.skerry.collective;

/**
 * How much memory a rank uses for one file and with how many threads. The same on all ranks where
 * it matters: the greatest value decides.
 *
 * @param dirtyLimit bytes of dirty chunks and incoming pieces on one rank above which a write
 *     flushes first
 * @param roundLimit bytes of pieces an owner takes in per round
 * @param readLimit bytes of stored chunks a rank reads per round
 * @param cleanLimit bytes of clean copies a rank keeps
 * @param workers threads that encode and decode on this rank
 */
public record FileOptions(
    long dirtyLimit, long roundLimit, long readLimit, long cleanLimit, int workers) {

  private static final long MIB = 1L << 20;

  /** Refuses limits that could not make progress. */
  public FileOptions {
    if (dirtyLimit < 1 || roundLimit < 1 || readLimit < 1 || cleanLimit < 0 || workers < 1) {
      throw new IllegalArgumentException(
          "limits must be positive: dirty="
              + dirtyLimit
              + " round="
              + roundLimit
              + " read="
              + readLimit
              + " clean="
              + cleanLimit
              + " workers="
              + workers);
    }
  }

  /** 256 MiB dirty, 64 MiB a round, 64 MiB clean, one worker per core up to 4. */
  public static FileOptions standard() {
    int cores = Runtime.getRuntime().availableProcessors();
    return new FileOptions(256 * MIB, 64 * MIB, 64 * MIB, 64 * MIB, Math.clamp(cores, 1, 4));
  }

  /** The same with another dirty limit. */
  public FileOptions withDirtyLimit(long bytes) {
    return new FileOptions(bytes, roundLimit, readLimit, cleanLimit, workers);
  }

  /** The same with another limit per write round. */
  public FileOptions withRoundLimit(long bytes) {
    return new FileOptions(dirtyLimit, bytes, readLimit, cleanLimit, workers);
  }

  /** The same with another limit per read round. */
  public FileOptions withReadLimit(long bytes) {
    return new FileOptions(dirtyLimit, roundLimit, bytes, cleanLimit, workers);
  }

  /** The same with another budget for clean copies. */
  public FileOptions withCleanLimit(long bytes) {
    return new FileOptions(dirtyLimit, roundLimit, readLimit, bytes, workers);
  }

  /** The same with another number of worker threads. */
  public FileOptions withWorkers(int threads) {
    return new FileOptions(dirtyLimit, roundLimit, readLimit, cleanLimit, threads);
  }
}
