package io.skerry.mpi;

import java.io.Serial;
import java.util.List;
import java.util.stream.Stream;

/**
 * The interleaving of the ranks of {@link LocalRanks}, and the points at which ranks fail.
 *
 * <p>On a communicator of several ranks, every send, every receive and every collective call except
 * {@link Communicator#close} contains at least one <em>point</em>. So does every call on a request
 * that is not complete, and every collective call on a file. The points of a rank are counted from
 * 0. The decisions at the points are derived from the seed. In serialized mode, a failure can
 * therefore be reproduced from its seed. Immutable. All methods are local and thread-safe; they do
 * not fail unless their documentation states otherwise.
 *
 * @param mode the order in which ranks proceed
 * @param seed the seed of all decisions; ignored in mode {@link Mode#FREE}
 * @param failures the points at which ranks throw {@link InjectedFailure}
 */
public record Schedule(Mode mode, long seed, List<FailurePoint> failures) {

  /** The order in which ranks proceed. */
  public enum Mode {
    /** The operating system schedules the ranks. */
    FREE,
    /** The ranks run concurrently, with a random delay at about half of the points. */
    JITTERED,
    /**
     * One rank runs at a time: at each point, the next rank is drawn at random from those that can
     * proceed. The whole interleaving is reproducible. Ranks must not wait for each other except in
     * calls on communicators and files.
     */
    SERIALIZED
  }

  /**
   * A point at which a rank fails.
   *
   * @param rank the rank in the world communicator
   * @param call the index of the point among the points of that rank, counted from 0
   */
  public record FailurePoint(int rank, long call) {
    /**
     * Creates a point. Local, thread-safe.
     *
     * @throws IllegalArgumentException if the rank or the index is negative
     */
    public FailurePoint {
      if (rank < 0 || call < 0) {
        throw new IllegalArgumentException(
            "negative failure point: rank=%d call=%d".formatted(rank, call));
      }
    }
  }

  /** Creates a schedule with a copy of the failures. Local, thread-safe; does not fail. */
  public Schedule {
    failures = List.copyOf(failures);
  }

  /**
   * Returns a schedule of mode {@link Mode#FREE}, without delays or failures. Local, thread-safe;
   * does not fail.
   */
  public static Schedule free() {
    return new Schedule(Mode.FREE, 0, List.of());
  }

  /**
   * Returns a schedule of mode {@link Mode#SERIALIZED}: one rank runs at a time, in a reproducible
   * order. Local, thread-safe; does not fail.
   *
   * @param seed the seed of all decisions, any number
   */
  public static Schedule seeded(long seed) {
    return new Schedule(Mode.SERIALIZED, seed, List.of());
  }

  /**
   * Returns a schedule of mode {@link Mode#JITTERED}: concurrent ranks with random delays. Local,
   * thread-safe; does not fail.
   *
   * @param seed the seed of all decisions, any number
   */
  public static Schedule jittered(long seed) {
    return new Schedule(Mode.JITTERED, seed, List.of());
  }

  /**
   * Returns this schedule with an additional failure. Local, thread-safe.
   *
   * @param rank the rank in the world communicator; if there is no such rank, the failure does not
   *     occur
   * @param call the index of the point among the points of that rank, counted from 0
   * @throws IllegalArgumentException if the rank or the index is negative
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
     * Creates the exception for a failure that is injected into one rank. Local, thread-safe; does
     * not fail.
     *
     * @param rank the rank in the world communicator
     * @param call the index of the point at which the rank fails, counted from 0 on that rank
     * @param operation the name of the call
     */
    public InjectedFailure(int rank, long call, String operation) {
      super("injected failure: rank=%d call=%d operation=%s".formatted(rank, call, operation));
    }
  }
}
