package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.H5File;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.spi.Connectors;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Opens containers whose creation has ended before their root group was stored. */
class InterruptedCreationTest {
  private static final IodConnector CONNECTOR =
      new IodConnector(new ContainerSettings(2, ChecksumLevel.STORE, EngineOptions.DEFAULT));

  @TempDir Path folder;

  private static H5File open(Communicator world, Path path, FileAccess access) {
    return Connectors.open(CONNECTOR, path, access, world, FileOptions.standard());
  }

  private static void assertIncomplete(CollectiveException e) {
    assertTrue(
        String.valueOf(e.getMessage()).contains("an incomplete container"),
        String.valueOf(e.getMessage()));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void a_container_without_a_root_group_is_incomplete_and_can_be_replaced(int size) {
    Path path = folder.resolve("run");
    EngineLocation location = new EngineLocation("iod", path.toString());
    var unused = Engines.of(location).create(location, 2);
    assertIncomplete(
        assertThrows(
            CollectiveException.class,
            () -> {
              var unusedReport = CONNECTOR.verify(path, FileOptions.standard(), finding -> {});
            }));
    LocalRanks.run(
        size,
        world -> {
          for (FileAccess access : new FileAccess[] {FileAccess.READ, FileAccess.WRITE}) {
            assertIncomplete(
                assertThrows(CollectiveException.class, () -> open(world, path, access).close()));
          }
          open(world, path, FileAccess.CREATE).close();
          try (H5File file = open(world, path, FileAccess.READ)) {
            assertEquals(0, file.root().links().size());
          }
        });
  }
}
