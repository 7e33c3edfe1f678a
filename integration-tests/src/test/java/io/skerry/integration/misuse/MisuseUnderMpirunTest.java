package io.skerry.integration.misuse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.testkit.launch.MpirunLauncher;
import io.skerry.testkit.ranked.RankedSuite;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that ranks under mpirun do not hang if their collective calls differ. */
class MisuseUnderMpirunTest {
  private static final int SECONDS_FOR_ALL_PAIRS = 2400;

  /** Seconds that a part of the pairs may take beyond its share, beside other jobs. */
  private static final int SECONDS_MORE = 500;

  /** The time limit of a case in which one call is made beside each of the others. */
  private static final int SECONDS_FOR_A_CALL = 300;

  /** Seconds that a case may take that does not become shorter with fewer pairs of calls. */
  private static final int SECONDS_FOR_OTHERS = 60;

  static int[] rankNumbers() {
    return MisuseTest.rankNumbers();
  }

  @ParameterizedTest
  @MethodSource("rankNumbers")
  @Timeout(
      value = SECONDS_FOR_ALL_PAIRS + SECONDS_MORE + 20,
      unit = TimeUnit.SECONDS,
      threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void every_pair_of_calls_under_mpirun(int ranks) throws Exception {
    assumeTrue(MpirunLauncher.find().isPresent(), "no mpirun on the path");
    int cases = MisuseTest.SUITES.stream().mapToInt(suite -> suite.cases().size()).sum();
    var outcome =
        MpirunLauncher.find()
            .orElseThrow()
            .withLimit(
                Duration.ofSeconds(SECONDS_FOR_ALL_PAIRS / MisusedPairs.step() + SECONDS_MORE))
            .withJvmOption("-D%s=%d".formatted(MisusedPairs.STEP, MisusedPairs.step()))
            .withJvmOption(
                "-Dskerry.case.seconds="
                    + (SECONDS_FOR_A_CALL / MisusedPairs.step() + SECONDS_FOR_OTHERS))
            .run(
                ranks,
                RankedSuite.class.getName(),
                MisuseTest.SUITES.stream()
                    .map(suite -> suite.getClass().getName())
                    .toArray(String[]::new));
    assertEquals(0, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains(cases + " passed, 0 failed"), outcome.output());
    System.out.printf(
        "misuse under mpirun: %d cases on %d ranks, one of %d pairs of calls in each%n",
        cases, ranks, MisusedPairs.step());
  }
}
