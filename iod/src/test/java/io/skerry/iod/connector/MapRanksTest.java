package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.mpi.LocalRanks;
import io.skerry.testkit.launch.MpirunLauncher;
import io.skerry.testkit.ranked.RankedSuite;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs {@link MapRanksCases} on ranks that are threads, and under {@code mpirun}. */
class MapRanksTest {
  @TestFactory
  Stream<DynamicTest> the_connector_passes_the_suite_for_maps_on_several_ranks() {
    return Stream.of(2, 4)
        .flatMap(ranks ->
            new MapRanksCases()
                .cases().stream()
                    .map(test ->
                        DynamicTest.dynamicTest(
                            test.name() + " on " + ranks,
                            () -> LocalRanks.run(ranks, test.body()))));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void processes_of_mpirun_pass_the_suite_for_maps(int ranks) throws Exception {
    var mpirun = MpirunLauncher.find();
    Assumptions.assumeTrue(mpirun.isPresent(), "no mpirun on the path");
    // More ranks than processors wait for each other in turns, on a machine that runs other tests.
    var outcome =
        mpirun
            .get()
            .withLimit(Duration.ofMinutes(9))
            .withJvmOption("-Dskerry.case.seconds=500")
            .run(ranks, RankedSuite.class.getName(), MapRanksCases.class.getName());
    assertEquals(0, outcome.exitCode(), outcome.output());
    int cases = new MapRanksCases().cases().size();
    assertTrue(outcome.output().contains(cases + " passed, 0 failed"), outcome.output());
  }
}
