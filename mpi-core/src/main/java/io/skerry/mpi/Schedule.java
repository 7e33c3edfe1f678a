package io.skerry.mpi;

import java.io.Serial;
import java.util.List;
import java.util.stream.Stream;

/**
 * The interleaving of the ranks of {@link LocalRanks}, and the points at which ranks fail.
 *
 * <p>Every call on a communicator and every collective call on a file is a <em>point</em>; the
 * points of a rank are counted from 0. The decision at a point depends only on the seed, the rank
 * and the index of the point or, in serialised mode, on the seed and the number of points passed by
 * all ranks. A failure can therefore be reproduced from its seed.
 *
 * @param mode the order in which ranks proceed
 * @param seed the seed of all decisions; ignored in mode {@link Mode#FREE}
 * @param failures the points at which ranks throw {@link InjectedFailure}
 */
public record Schedule(Mode mode, long seed, List<FailurePoint> failures) {

  /** Order in which ranks proceed. */
  public enum Mode {
    /** Scheduled by the operating system. */
    FREE,
    /** Concurrent, with a random delay at every point. */
    JITTERED,
    /**
     * One rank at a time: at each point, the next rank is drawn from those that can proceed. The
     * whole interleaving is reproducible. Ranks must wait for each other only through
     * communication.
     */
    SERIALISED
  }

  /** A failure of rank {@code rank} of the world at its point {@code call}, counted from 0. */
  public record FailurePoint(int rank, long call) {
    public FailurePoint {
      if (rank < 0 || call < 0) {
        throw new IllegalArgumentException(
            "negative failure point: rank=%d call=%d".formatted(rank, call));
      }
    }
  }

  public Schedule {
    failures = List.copyOf(failures);
  }

  /**
   * Returns a schedule without delays and failures: {@link Mode#FREE}. Local, thread-safe; does not
   * fail.
   */
  public static Schedule free() {
    return new Schedule(Mode.FREE, 0, List.of());
  }

  /**
   * Returns a reproducible schedule of one rank at a time: {@link Mode#SERIALISED}. Local,
   * thread-safe; does not fail.
   */
  public static Schedule seeded(long seed) {
    return new Schedule(Mode.SERIALISED, seed, List.of());
  }

  /**
   * Returns a schedule of concurrent ranks with random delays: {@link Mode#JITTERED}. Local,
   * thread-safe; does not fail.
   */
  public static Schedule jittered(long seed) {
    return new Schedule(Mode.JITTERED, seed, List.of());
  }

  /**
   * Returns this schedule with another failure. Local, thread-safe.
   *
   * @throws IllegalArgumentException if a number is negative
   */
  public Schedule failing(int rank, long call) {
    return new Schedule(
        mode,
        seed,
        Stream.concat(failures.stream(), Stream.of(new FailurePoint(rank, call))).toList());
  }

  /** A failure that a {@link Schedule} injected into a rank. */
  public static final class InjectedFailure extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    /**
     * Creates the failure of one rank.
     *
     * @param rank the rank in the world communicator
     * @param call the index of the call, counted from 0 on that rank
     * @param operation the name of the call
     */
    public InjectedFailure(int rank, long call, String operation) {
      super("injected failure: rank=%d call=%d operation=%s".formatted(rank, call, operation));
    }
  }
}
