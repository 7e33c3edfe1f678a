package io.skerry.iod.rados;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.H5File;
import io.skerry.Verification;
import io.skerry.iod.engine.Engines;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.spi.Connector;
import io.skerry.spi.StoredFile;
import io.skerry.testkit.connector.ConnectorConformance;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the conformance suite for connectors on containers in a Ceph cluster. */
class CephConnectorTest {
  @RegisterExtension static final CephTests CEPH = new CephTests();

  private static final Set<ConnectorConformance.Refusal> REFUSALS =
      Set.of(ConnectorConformance.Refusal.EXTERNAL_LINKS);

  /** Verifies the container at a path whenever a file is opened there. */
  private record Verifying(Connector connector, AtomicInteger verified) implements Connector {
    @Override
    public String name() {
      return connector.name();
    }

    @Override
    public StoredFile open(Path path, FileAccess access, Communicator ranks, FileOptions options) {
      if (ranks.rank() == 0 && connector.isTaken(path)) {
        check(connector, path);
        int unused = verified.incrementAndGet();
      }
      // The others would write to the container meanwhile.
      ranks.barrier();
      return connector.open(path, access, ranks, options);
    }
  }

  private static void check(Connector connector, Path path) {
    List<Verification.Finding> findings = new ArrayList<>();
    var unused =
        connector.verify(
            path,
            FileOptions.standard(),
            new Verification.Watcher() {
              @Override
              public void finding(Verification.Finding finding) {
                findings.add(finding);
              }
            });
    assertEquals(List.of(), findings);
  }

  @TestFactory
  Stream<DynamicTest> the_connector_passes_the_conformance_suite() {
    return Stream.of(1, 2, 4).flatMap(CephConnectorTest::cases);
  }

  private static Stream<DynamicTest> cases(int ranks) {
    var connector = new Verifying(new RadosConnectorProvider().connector(), new AtomicInteger());
    return new ConnectorConformance(connector, REFUSALS)
        .placed(path -> Path.of("/skerry" + path + CEPH.options())).cases().stream()
            .map(test ->
                DynamicTest.dynamicTest(
                    test.name() + " on " + ranks + " ranks",
                    () -> {
                      int before = connector.verified().get();
                      LocalRanks.run(ranks, test.body());
                      assertTrue(connector.verified().get() > before);
                    }));
  }

  @Test
  void a_location_names_a_container_of_several_ranks() {
    var location = CEPH.location(CephTests.unique());
    LocalRanks.run(
        3,
        world -> {
          try (var file = H5File.create(location.toString(), world)) {
            file.createGroup("/g");
          }
        });
    assertEquals(3, Engines.of(location).info(location).shards());
    LocalRanks.run(
        2,
        world -> {
          try (var file = H5File.open(location.toString(), world)) {
            assertEquals(1, file.root().links().size());
          }
        });
  }

  @Test
  void a_second_writer_and_a_missing_container_are_refused() {
    var location = CEPH.location(CephTests.unique()).toString();
    var missing =
        assertThrows(CollectiveException.class, () -> H5File.open(location, Communicator.self()));
    assertTrue(missing.getMessage().contains("there is no container"), missing.getMessage());
    try (var file = H5File.create(location, Communicator.self())) {
      file.createGroup("/g");
      file.flush();
      var e =
          assertThrows(
              CollectiveException.class,
              () -> H5File.openForWriting(location, Communicator.self()));
      assertTrue(e.getMessage().contains("open for writing elsewhere"), e.getMessage());
    }
  }
}
