package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.H5File;
import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.object.ChecksumLevel;
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

  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> the_connector_passes_the_conformance_suite() {
    return Stream.of(1, 3).flatMap(shards -> Stream.of(1, 2, 4).flatMap(ranks -> cases(shards, ranks)));
  }

  private static Stream<DynamicTest> cases(int shards, int ranks) {
    ContainerSettings settings =
        new ContainerSettings(shards, ChecksumLevel.STORE, EngineOptions.DEFAULT);
    VerifyingConnector connector = new VerifyingConnector(new IodConnector(settings));
    return new ConnectorConformance(connector, Set.of(ConnectorConformance.Refusal.EXTERNAL_LINKS))
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
