package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.mpi.LocalRanks;
import io.skerry.testkit.launch.MpirunLauncher;
import io.skerry.testkit.ranked.RankedSuite;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Runs {@link IoRanksCases} on ranks that are threads, and under {@code mpirun}. */
@Timeout(120)
class IoRanksTest {
  @TestFactory
  Stream<DynamicTest> all_ranks_get_the_failure_of_one() {
    return Stream.of(4, 6)
        .flatMap(ranks ->
            new IoRanksCases()
                .cases().stream()
                    .map(test ->
                        DynamicTest.dynamicTest(
                            test.name() + " on " + ranks,
                            () -> LocalRanks.run(ranks, test.body()))));
  }

  @Test
  void all_processes_of_mpirun_get_the_failure_of_one() throws Exception {
    var mpirun = MpirunLauncher.find();
    Assumptions.assumeTrue(mpirun.isPresent(), "no mpirun on the path");
    var outcome = mpirun.get().run(4, RankedSuite.class.getName(), IoRanksCases.class.getName());
    assertEquals(0, outcome.exitCode(), outcome.output());
    int cases = new IoRanksCases().cases().size();
    assertTrue(outcome.output().contains(cases + " passed, 0 failed"), outcome.output());
  }
}
