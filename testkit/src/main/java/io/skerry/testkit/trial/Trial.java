package io.skerry.testkit.trial;

import io.skerry.internal.file.NativeConnector;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.Schedule;
import io.skerry.spi.Connector;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Executes the random program of a seed on a file and on a model. The seed determines all of it, so
 * that a failure can be repeated with the seed in its message.
 */
public final class Trial {
  private static final int[] RANKS = {1, 2, 3, 4, 7};

  private final Program program;
  private final Connector connector;

  private Trial(Program program, Connector connector) {
    this.program = program;
    this.connector = connector;
  }

  /** Returns the run of a seed. */
  public static Trial of(long seed) {
    return new Trial(Program.of(seed, DatasetPlan.Layouts.ALL), new NativeConnector());
  }

  /** Returns this run on files of a connector. */
  public Trial through(Connector other) {
    return new Trial(program, other);
  }

  /**
   * Executes the program on ranks as threads: each session on another number of ranks, some with a
   * schedule.
   *
   * @return the digest of the final content of the file
   * @throws AssertionError that names the seed, if file and model differ or a call fails
   */
  public String onThreads(Path path) {
    SplittableRandom random = new SplittableRandom(~program.seed());
    int[] counts = new int[program.sessions().size()];
    for (int s = 0; s < counts.length; s++) {
      counts[s] = RANKS[random.nextInt(RANKS.length)];
    }
    Schedule schedule =
        switch (random.nextInt(4)) {
          case 0 -> Schedule.seeded(program.seed());
          case 1 -> Schedule.jittered(program.seed());
          default -> Schedule.free();
        };
    return onThreads(path, counts, schedule);
  }

  /** Executes the program with the same number of ranks in every session. */
  public String onThreads(Path path, int ranks) {
    int[] counts = new int[program.sessions().size()];
    Arrays.fill(counts, ranks);
    return onThreads(path, counts, Schedule.free());
  }

  private String onThreads(Path path, int[] counts, Schedule schedule) {
    Model model = new Model();
    for (int s = 0; s < counts.length; s++) {
      Program.Session session = program.sessions().get(s);
      Model before = model;
      try {
        List<Model> after =
            LocalRanks.call(
                counts[s],
                schedule,
                world -> {
                  Model mine = before.copy();
                  new Player(connector, world, mine).play(session, path);
                  return mine;
                });
        model = after.getFirst();
      } catch (AssertionError | RuntimeException e) {
        throw failed(s, counts[s] + " threads, " + schedule, e);
      }
    }
    return checkedDigest(path, model);
  }

  /**
   * Executes the program on a communicator. Collective.
   *
   * @return the digest on rank 0; an empty string on the others
   */
  public String on(Communicator world, Path path) {
    Model model = new Model();
    for (int s = 0; s < program.sessions().size(); s++) {
      try {
        new Player(connector, world, model).play(program.sessions().get(s), path);
      } catch (AssertionError | RuntimeException e) {
        throw failed(s, world.size() + " ranks", e);
      }
    }
    String digest = world.rank() == 0 ? checkedDigest(path, model) : "";
    world.barrier();
    return digest;
  }

  private String checkedDigest(Path path, Model model) {
    String expected = ContentDigest.of(model);
    String actual = ContentDigest.of(path, model);
    if (!actual.equals(expected)) {
      throw new AssertionError(
          "digest of the content: expected="
              + expected
              + " actual="
              + actual
              + " seed="
              + program.seed());
    }
    return actual;
  }

  private AssertionError failed(int session, String where, Throwable cause) {
    return new AssertionError(
        "seed="
            + program.seed()
            + " session="
            + session
            + " of "
            + program.sessions().size()
            + " on "
            + where
            + ": "
            + cause.getMessage(),
        cause);
  }
}
