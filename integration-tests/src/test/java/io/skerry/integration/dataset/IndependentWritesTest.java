package io.skerry.integration.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.Schedule;
import io.skerry.testkit.launch.MpirunLauncher;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedSuite;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs {@link IndependentWriteCases} with processes as ranks and with threads as ranks. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class IndependentWritesTest {
  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");

  static int[] processes() {
    return THOROUGH ? new int[] {1, 2, 4} : new int[] {2};
  }

  static int[] threads() {
    return THOROUGH ? new int[] {1, 2, 3, 4, 7} : new int[] {1, 3, 7};
  }

  @ParameterizedTest
  @MethodSource("processes")
  void independent_writes_of_processes_are_stored(int ranks) throws InterruptedException {
    Optional<MpirunLauncher> mpirun = MpirunLauncher.find();
    assumeTrue(mpirun.isPresent(), "no mpirun here");
    MpirunLauncher.Outcome outcome =
        mpirun
            .get()
            .withLimit(Duration.ofSeconds(150))
            .run(ranks, RankedSuite.class.getName(), IndependentWriteCases.class.getName());
    assertEquals(0, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains("5 passed, 0 failed"), outcome.output());
  }

  @ParameterizedTest
  @MethodSource("threads")
  void independent_writes_of_ranks_as_threads_are_stored(int ranks) {
    for (RankedCase test : new IndependentWriteCases().cases()) {
      LocalRanks.run(ranks, Schedule.seeded(ranks), test.body());
    }
  }
}
