package io.skerry.integration.concurrency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.Schedule;
import io.skerry.testkit.launch.ChildProgram;
import io.skerry.testkit.launch.MpirunLauncher;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedSuite;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs {@link IndependentReadsCases} with processes as ranks and with threads as ranks. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class RanksAndReadersTest {
  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");

  static int[] processes() {
    return THOROUGH ? new int[] {2, 4} : new int[] {2};
  }

  static int[] threads() {
    return THOROUGH ? new int[] {2, 3} : new int[] {3};
  }

  @ParameterizedTest
  @MethodSource("processes")
  void reader_threads_of_processes_see_the_flushed_state(int ranks) throws InterruptedException {
    Optional<MpirunLauncher> mpirun = MpirunLauncher.find();
    assumeTrue(mpirun.isPresent(), "no mpirun here");
    MpirunLauncher launcher =
        mpirun
            .get()
            .withLimit(Duration.ofSeconds(500))
            .withJvmOption(ChildProgram.ALL_COMPILERS)
            .withJvmOption("-Dskerry.case.seconds=480");
    for (String name : new String[] {"seed", "seeds", "steps"}) {
      String property = "skerry.readers." + name;
      String value = System.getProperty(property, "");
      launcher = value.isEmpty() ? launcher : launcher.withJvmOption("-D" + property + "=" + value);
    }
    MpirunLauncher.Outcome outcome =
        launcher.run(ranks, RankedSuite.class.getName(), IndependentReadsCases.class.getName());
    assertEquals(0, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains("1 passed, 0 failed"), outcome.output());
    System.out.print(outcome.output());
  }

  @ParameterizedTest
  @MethodSource("threads")
  void reader_threads_of_ranks_as_threads_see_the_flushed_state(int ranks) {
    for (RankedCase test : new IndependentReadsCases().cases()) {
      LocalRanks.run(ranks, Schedule.seeded(ranks), test.body());
    }
  }
}
