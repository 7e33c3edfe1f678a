package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.H5File;
import io.skerry.Verification;
import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectType;
import io.skerry.iod.object.TestContainers;
import io.skerry.iod.shipper.Faulty;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verification and dumps of a container that is not open. */
class ContainerToolsTest {
  private static final IodConnector CONNECTOR = new IodConnector();

  @TempDir Path folder;

  /** Creates a container with two findings: a tile of no dataset, whose number was not leased. */
  @BeforeEach
  void create() {
    H5File.create("iod:" + path(), Communicator.self()).close();
    EngineLocation location = new EngineLocation("iod", path().toString());
    Place tile = new Place.Tile(ObjectId.of(ObjectType.ARRAY, 77).bits(), 0);
    try (Container container = Engines.of(location).open(location, Opening.writing())) {
      container.recover();
      TestContainers.commit(
          container, changes -> changes.put(tile, MemorySegment.ofArray(new byte[10])));
      container.served().forEach(number -> container.shard(number).persist());
    }
  }

  private Path path() {
    return folder.resolve("c");
  }

  private void verify(Consumer<Verification.Finding> findings, Consumer<Long> checked) {
    var unused =
        CONNECTOR.verify(
            path(),
            FileOptions.standard(),
            new Verification.Watcher() {
              @Override
              public void finding(Verification.Finding finding) {
                findings.accept(finding);
              }

              @Override
              public void checked(long bytes) {
                checked.accept(bytes);
              }
            });
  }

  private static void assertThrown(RuntimeException failure, Runnable call) {
    assertSame(failure, assertThrows(RuntimeException.class, call::run));
  }

  @Test
  void what_a_callback_throws_reaches_the_caller_unchanged() {
    List<Verification.Finding> findings = new ArrayList<>();
    verify(findings::add, _ -> {});
    assertEquals(2, findings.size(), findings.toString());
    for (RuntimeException failure :
        List.of(
            new IllegalArgumentException("of a callback"),
            new FormatException("a line", "of the callback", "another one"),
            new ContainerException(ContainerException.Reason.MISSING, "c", "one", "none"),
            Faulty.engine(EngineException.Fault.DAMAGED, 0))) {
      assertThrown(
          failure,
          () ->
              CONNECTOR.dump(
                  path(),
                  _ -> {
                    throw failure;
                  }));
      assertThrown(
          failure,
          () ->
              verify(
                  _ -> {
                    throw failure;
                  },
                  _ -> {}));
      assertThrown(
          failure,
          () ->
              verify(
                  _ -> {},
                  _ -> {
                    throw failure;
                  }));
    }
  }

  @Test
  void a_missing_container_is_a_failure_to_open_it() {
    Path none = folder.resolve("none");
    assertThrows(CollectiveException.class, () -> CONNECTOR.dump(none, _ -> {}));
    assertThrows(
        CollectiveException.class,
        () -> {
          var unused = CONNECTOR.verify(none, FileOptions.standard(), _ -> {});
        });
  }
}
