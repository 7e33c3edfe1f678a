package io.skerry.integration.randomprogram;

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
 * Executes a random program on a file and on a model. The seed determines the whole program, so a
 * failure can be reproduced from the seed in its message.
 */
public final class RandomProgramRun {
  private static final int[] RANKS = {1, 2, 3, 4, 7};

  private final RandomProgram program;
  private final Connector connector;

  private RandomProgramRun(RandomProgram program, Connector connector) {
    this.program = program;
    this.connector = connector;
  }

  /** Returns a run of the program that the given seed determines. */
  public static RandomProgramRun of(long seed) {
    return new RandomProgramRun(
        RandomProgram.of(seed, DatasetPlan.Layouts.ALL), new NativeConnector());
  }

  /** Returns a run of the same program on files that the given connector opens. */
  public RandomProgramRun through(Connector other) {
    return new RandomProgramRun(program, other);
  }

  /**
   * Executes the program on ranks that are threads. Each session has a random number of ranks, and
   * a seeded schedule controls the threads of some programs.
   *
   * @return the digest of the final content of the file
   * @throws AssertionError if the file differs from the model or a call fails; the message names
   *     the seed
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
    FileModel model = new FileModel();
    for (int s = 0; s < counts.length; s++) {
      RandomProgram.Session session = program.sessions().get(s);
      FileModel before = model;
      try {
        List<FileModel> after =
            LocalRanks.call(
                counts[s],
                schedule,
                world -> {
                  FileModel mine = before.copy();
                  new ProgramPlayer(connector, world, mine).play(session, path);
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
    FileModel model = new FileModel();
    for (int s = 0; s < program.sessions().size(); s++) {
      try {
        new ProgramPlayer(connector, world, model).play(program.sessions().get(s), path);
      } catch (AssertionError | RuntimeException e) {
        throw failed(s, world.size() + " ranks", e);
      }
    }
    String digest = world.rank() == 0 ? checkedDigest(path, model) : "";
    world.barrier();
    return digest;
  }

  private String checkedDigest(Path path, FileModel model) {
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
