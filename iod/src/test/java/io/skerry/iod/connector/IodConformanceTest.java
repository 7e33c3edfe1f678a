package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.H5File;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.testkit.connector.ConnectorConformance;
import io.skerry.testkit.ranked.RankedCase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Runs the conformance suite for connectors on containers, which are verified at each opening. */
class IodConformanceTest {
  /** The number of openings of an existing container in each case. */
  private static final int REOPENED = 6;

  private static final Set<ConnectorConformance.Refusal> REFUSALS =
      Set.of(ConnectorConformance.Refusal.EXTERNAL_LINKS);

  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> the_connector_passes_the_conformance_suite() {
    return Stream.of(1, 3)
        .flatMap(shards -> Stream.of(1, 2, 4).flatMap(ranks -> cases(shards, ranks)));
  }

  private static Stream<DynamicTest> cases(int shards, int ranks) {
    ContainerSettings settings =
        new ContainerSettings(shards, ChecksumLevel.STORE, EngineOptions.DEFAULT);
    VerifyingConnector connector = new VerifyingConnector(new IodConnector(settings));
    return new ConnectorConformance(connector, REFUSALS)
        .cases().stream()
            .map(test ->
                DynamicTest.dynamicTest(
                    test.name() + " in " + shards + " shards on " + ranks + " ranks",
                    () -> run(connector, ranks, test)));
  }

  private static void run(VerifyingConnector connector, int ranks, RankedCase test)
      throws Exception {
    int before = connector.verified();
    LocalRanks.run(ranks, test.body());
    assertEquals(REOPENED, connector.verified() - before, "verified containers");
  }

  /** Ranks, I/O ranks among them, and their choice. */
  private record Division(int ranks, int ioRanks, Placement.Kind kind) {}

  @TestFactory
  Stream<DynamicTest> the_connector_passes_with_ranks_that_only_serve() {
    return Stream.of(
            new Division(2, 1, Placement.Kind.LAST),
            new Division(4, 2, Placement.Kind.EVERY_KTH),
            new Division(5, 1, Placement.Kind.LAST))
        .flatMap(division ->
            new ConnectorConformance(new IodConnector(), REFUSALS)
                .cases().stream()
                    .map(test ->
                        DynamicTest.dynamicTest(
                            test.name() + " on " + division, () -> serve(division, test.name()))));
  }

  private static void serve(Division division, String name) {
    ContainerSettings settings = new ContainerSettings(3, ChecksumLevel.ALL, EngineOptions.DEFAULT);
    LocalRanks.run(
        division.ranks,
        world ->
            IoRanks.run(
                world,
                settings,
                division.ioRanks,
                division.kind,
                (compute, connector) -> {
                  RankedCase test =
                      new ConnectorConformance(new VerifyingConnector(connector), REFUSALS)
                          .cases().stream()
                              .filter(each -> each.name().equals(name))
                              .findFirst()
                              .orElseThrow();
                  assertDoesNotThrow(() -> test.body().run(compute));
                }));
  }

  @Test
  void several_ranks_create_a_shard_each() {
    Path path = folder.resolve("shared");
    LocalRanks.run(3, world -> H5File.create("iod:" + path, world).close());
    EngineLocation location = new EngineLocation("iod", path.toString());
    assertEquals(3, Engines.of(location).info(location).shards());
    LocalRanks.run(5, world -> H5File.open("iod:" + path, world).close());
  }

  @Test
  void a_location_with_the_scheme_names_a_container() {
    String location = "iod:" + folder.resolve("named");
    try (H5File file = H5File.create(location, Communicator.self())) {
      file.createGroup("/g");
    }
    try (H5File file = H5File.openForWriting(location, Communicator.self())) {
      file.createGroup("/h");
    }
    try (H5File file = H5File.open(location, Communicator.self())) {
      assertEquals(2, file.root().links().size());
      assertEquals(folder.resolve("named"), file.path());
    }
    String plain = folder.resolve("plain.h5").toString();
    H5File.create(plain, Communicator.self()).close();
    assertTrue(Files.isRegularFile(folder.resolve("plain.h5")), "an HDF5 file");
    var e =
        assertThrows(
            IllegalArgumentException.class, () -> H5File.open("none:x", Communicator.self()));
    assertTrue(e.getMessage().contains("[iod]"), e.getMessage());
  }
}
