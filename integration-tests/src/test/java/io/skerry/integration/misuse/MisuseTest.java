package io.skerry.integration.misuse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.mpi.LocalRanks;
import io.skerry.testkit.launch.MpirunLauncher;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.RankedSuite;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that ranks with different collective calls do not hang, on threads and under mpirun. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MisuseTest {
  private static final int SECONDS_FOR_ALL_PAIRS = 2400;

  /** Seconds that a part of the pairs may take beyond its share, beside other jobs. */
  private static final int SECONDS_MORE = 200;

  /** The time limit of a case in which one call is made beside each of the others. */
  private static final int SECONDS_FOR_A_CALL = 300;

  /** Seconds that a case may take that does not become shorter with fewer pairs of calls. */
  private static final int SECONDS_FOR_OTHERS = 60;

  private static final List<RankedCases> SUITES =
      List.of(new MisusedPairs(), new MisusedClosings(), new DifferentSteps());

  static int[] rankNumbers() {
    return Boolean.getBoolean("skerry.thorough") ? new int[] {2, 3} : new int[] {3};
  }

  @TestFactory
  Stream<DynamicTest> every_pair_of_calls_on_threads() {
    return Arrays.stream(rankNumbers())
        .boxed()
        .flatMap(ranks ->
            SUITES.stream()
                .flatMap(suite -> suite.cases().stream())
                .map(test ->
                    DynamicTest.dynamicTest(
                        "%s on %d ranks".formatted(test.name(), ranks),
                        () -> LocalRanks.run(ranks, test.body()))));
  }

  @ParameterizedTest
  @MethodSource("rankNumbers")
  @Timeout(
      value = SECONDS_FOR_ALL_PAIRS + SECONDS_MORE + 20,
      unit = TimeUnit.SECONDS,
      threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void every_pair_of_calls_under_mpirun(int ranks) throws Exception {
    assumeTrue(MpirunLauncher.find().isPresent(), "no mpirun on the path");
    int cases = SUITES.stream().mapToInt(suite -> suite.cases().size()).sum();
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
                SUITES.stream().map(suite -> suite.getClass().getName()).toArray(String[]::new));
    assertEquals(0, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains(cases + " passed, 0 failed"), outcome.output());
    System.out.printf(
        "misuse under mpirun: %d cases on %d ranks, one of %d pairs of calls in each%n",
        cases, ranks, MisusedPairs.step());
  }
}
