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

/** Runs {@link SharedFileCases} on ranks that are threads, and under {@code mpirun}. */
class SharedFileTest {
  @TestFactory
  Stream<DynamicTest> all_ranks_share_a_container() {
    return Stream.of(1, 2, 4)
        .flatMap(ranks ->
            new SharedFileCases()
                .cases().stream()
                    .map(test ->
                        DynamicTest.dynamicTest(
                            test.name() + " on " + ranks, () -> LocalRanks.run(ranks, test.body()))));
  }

  @Test
  void processes_of_mpirun_share_a_container() throws Exception {
    var mpirun = MpirunLauncher.find();
    Assumptions.assumeTrue(mpirun.isPresent(), "no mpirun on the path");
    var outcome =
        mpirun.get().run(2, RankedSuite.class.getName(), SharedFileCases.class.getName());
    assertEquals(0, outcome.exitCode(), outcome.output());
    int cases = new SharedFileCases().cases().size();
    assertTrue(outcome.output().contains(cases + " passed, 0 failed"), outcome.output());
  }
}
