package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.H5File;
import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.shipper.ShipperException;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.spi.Connectors;
import io.skerry.testkit.launch.MpirunLauncher;
import io.skerry.testkit.ranked.RankedSuite;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@link SharedFileCases} on ranks that are threads, and under {@code mpirun}. */
class SharedFileTest {
  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> all_ranks_share_a_container() {
    return Stream.of(1, 2, 4)
        .flatMap(ranks ->
            new SharedFileCases()
                .cases().stream()
                    .map(test ->
                        DynamicTest.dynamicTest(
                            test.name() + " on " + ranks,
                            () -> LocalRanks.run(ranks, test.body()))));
  }

  /**
   * Rank 0 serves, but computes for longer than the patience while rank 1 reads alone. The patience
   * is one of the JVM, so this test does not run together with others.
   */
  @Test
  void a_read_of_one_rank_fails_if_the_serving_rank_computes_for_too_long() throws Exception {
    String property = "skerry.patience";
    Optional<String> before = Optional.ofNullable(System.getProperty(property));
    System.setProperty(property, "1");
    try {
      LocalRanks.run(2, world -> readWhileRank0Computes(world, folder.resolve("late")));
    } finally {
      before.ifPresentOrElse(
          value -> System.setProperty(property, value), () -> System.clearProperty(property));
    }
  }

  private static void readWhileRank0Computes(Communicator world, Path path) throws Exception {
    IodConnector connector =
        new IodConnector(new ContainerSettings(1, ChecksumLevel.STORE, EngineOptions.DEFAULT));
    try (H5File file =
        Connectors.open(connector, path, FileAccess.CREATE, world, FileOptions.standard())) {
      file.createGroup("/g");
      file.flush();
      if (world.rank() == 0) {
        Thread.sleep(4000);
      } else {
        var e = assertThrows(ShipperException.class, () -> file.root().links());
        assertEquals(0, e.rank());
        assertTrue(String.valueOf(e.getMessage()).contains("1500 ms"), e.getMessage());
      }
      world.barrier();
    }
  }

  @Test
  void processes_of_mpirun_share_a_container() throws Exception {
    var mpirun = MpirunLauncher.find();
    Assumptions.assumeTrue(mpirun.isPresent(), "no mpirun on the path");
    var outcome = mpirun.get().run(2, RankedSuite.class.getName(), SharedFileCases.class.getName());
    assertEquals(0, outcome.exitCode(), outcome.output());
    int cases = new SharedFileCases().cases().size();
    assertTrue(outcome.output().contains(cases + " passed, 0 failed"), outcome.output());
  }
}
