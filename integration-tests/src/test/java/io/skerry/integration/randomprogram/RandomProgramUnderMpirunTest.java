package io.skerry.integration.randomprogram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.testkit.launch.MpirunLauncher;
import io.skerry.testkit.ranked.RankedSuite;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RandomProgramUnderMpirunTest {
  /** {@code -Pslow} increases this number. */
  private static final int ROUNDS = Integer.getInteger("skerry.trial.rounds", 2);

  private static MpirunLauncher mpirun() {
    Optional<MpirunLauncher> found = MpirunLauncher.find();
    assumeTrue(found.isPresent(), "no mpirun here");
    return found.get().withLimit(Duration.ofSeconds(580));
  }

  private static List<String> digests(int ranks) throws InterruptedException {
    MpirunLauncher.Outcome outcome =
        mpirun()
            .withJvmOption("-Dskerry.trial.rounds=" + ROUNDS)
            .withJvmOption("-Dskerry.case.seconds=560")
            .run(ranks, RankedSuite.class.getName(), RandomProgramCases.class.getName());
    assertEquals(0, outcome.exitCode(), outcome.output());
    return outcome.output().lines().filter(line -> line.startsWith("digest ")).toList();
  }

  @Test
  void random_programs_under_mpirun_leave_the_same_content_with_1_2_and_4_ranks() throws Exception {
    List<String> alone = digests(1);
    assertEquals(ROUNDS, alone.size());
    for (int ranks : new int[] {2, 4}) {
      assertEquals(alone, digests(ranks), "ranks=" + ranks);
    }
  }
}
