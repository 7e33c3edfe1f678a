package io.skerry.mpi;

import java.util.List;
import java.util.stream.Stream;

/**
 * In what order {@link LocalRanks} lets ranks proceed, and where it makes them fail.
 *
 * <p>Every call on a communicator or collective call on a file is a <em>point</em>; a rank's points
 * are counted from 0. What happens at a point depends on nothing but the seed, the rank and the
 * point's index, or in serialised mode on the seed and the number of points passed by all ranks. A
 * failure therefore replays from its seed.
 *
 * @param mode how ranks proceed
 * @param seed what all decisions derive from; without meaning when free
 * @param failures where ranks throw {@link InjectedFailure}
 */
public record Schedule(Mode mode, long seed, List<FailurePoint> failures) {

  /** Order in which ranks proceed. */
  public enum Mode {
    /** As the operating system likes. */
    FREE,
    /** At the same time, with a random delay at every point. */
    JITTERED,
    /**
     * One rank at a time: at each point the next is drawn from those that can proceed. The whole
     * interleaving replays. A rank must not wait for another in any way but through communication.
     */
    SERIALISED
  }

  /** Rank {@code rank} of the world fails at its point {@code call}, counted from 0. */
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

  /** No decisions at all. */
  public static Schedule free() {
    return new Schedule(Mode.FREE, 0, List.of());
  }

  /** One rank at a time, replayable: {@link Mode#SERIALISED}. */
  public static Schedule seeded(long seed) {
    return new Schedule(Mode.SERIALISED, seed, List.of());
  }

  /** Really concurrent, with random delays: {@link Mode#JITTERED}. */
  public static Schedule jittered(long seed) {
    return new Schedule(Mode.JITTERED, seed, List.of());
  }

  /** The same with one more failure. */
  public Schedule failing(int rank, long call) {
    return new Schedule(
        mode,
        seed,
        Stream.concat(failures.stream(), Stream.of(new FailurePoint(rank, call))).toList());
  }
}
