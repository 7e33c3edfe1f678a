package io.skerry.integration.randomprogram;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.mpi.LocalRanks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs random programs with repeated faults on one rank: a full or broken device, wrong arguments,
 * a filter that throws. {@code -Dskerry.fault.seeds} is the number of programs, {@code
 * -Dskerry.fault.seed} the first seed.
 */
class FaultyRandomProgramTest {
  private static final int SEEDS = Integer.getInteger("skerry.fault.seeds", 12);
  private static final long FIRST = Long.getLong("skerry.fault.seed", 5000);

  @TempDir Path folder;

  @Test
  void a_failure_on_one_rank_fails_the_step_on_all_ranks_and_the_next_step_succeeds()
      throws Exception {
    FaultTally tally = new FaultTally();
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      long program = seed;
      int ranks = new int[] {1, 2, 3, 4}[(int) (seed % 4)];
      Path path = folder.resolve("faulty" + seed + ".h5");
      try {
        assertTimeoutPreemptively(
            Duration.ofSeconds(60),
            () ->
                LocalRanks.run(
                    ranks, world -> new FaultyRandomProgram(program, world, path, tally).run()));
      } catch (Throwable e) {
        throw new AssertionError("seed=" + seed + " ranks=" + ranks + ": " + e.getMessage(), e);
      }
      Files.delete(path);
    }
    System.out.println("faults: " + SEEDS + " programs " + tally);
    for (FaultTally.Kind kind : FaultTally.Kind.values()) {
      assertTrue(SEEDS < 20 || tally.count(kind) >= SEEDS / 4, kind + ": " + tally);
    }
  }
}
