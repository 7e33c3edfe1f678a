package io.skerry.integration.misuse;

import io.skerry.mpi.LocalRanks;
import io.skerry.testkit.ranked.RankedCases;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Tests that ranks that are threads do not hang if their collective calls differ. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MisuseTest {
  static final List<RankedCases> SUITES =
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
}
