package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.CopyOption;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Reference;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.fault.FileProbe;
import io.skerry.testkit.fault.ProbedCommunicator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests copies of objects during which a file call fails on one rank. */
class FailedCopyReadTest {
  private static final int ELEMENTS = 64;

  @TempDir Path folder;

  private Path source;

  @BeforeEach
  void write() {
    source = folder.resolve("source.h5");
    try (H5File file = H5File.create(source)) {
      file.createDataset("/g/data", DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS)).chunked(8))
          .write(Selection.all(), new int[ELEMENTS]);
      file.createDataset("/other", DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS)).chunked(8))
          .write(Selection.all(), new int[ELEMENTS]);
      file.createDataset(
              "/g/objects",
              DatasetSpec.of(new Reference(8, Reference.Kind.OBJECT), Shape.of(2)).chunked(1))
          .writeValues(Selection.all(), List.of(file.reference("/g/data"), file.reference("/g")));
      file.createDataset(
              "/g/regions",
              DatasetSpec.of(new Reference(12, Reference.Kind.REGION), Shape.of(2)).chunked(1))
          .writeValues(
              Selection.all(),
              List.of(
                  file.reference("/g/data", Selection.at(2)),
                  file.reference("/other", Selection.at(3))));
    }
  }

  @Test
  void a_read_that_fails_on_one_rank_ends_a_copy_on_all_ranks() throws IOException {
    for (int ranks : new int[] {1, 3}) {
      for (int victim : FailedCalls.victims(ranks)) {
        int failing = 0;
        while (fails(ranks, victim, failing)) {
          failing++;
        }
        assertTrue(failing >= 2, "file calls that failed: " + failing);
      }
    }
  }

  /** Makes file call number {@code failing} fail on a rank, and returns whether the copy failed. */
  private boolean fails(int ranks, int victim, int failing) throws IOException {
    Path path = folder.resolve("copied.h5");
    Files.copy(source, path);
    List<Boolean> failed =
        assertTimeoutPreemptively(
            Duration.ofSeconds(60),
            () -> LocalRanks.call(ranks, world -> copy(world, path, victim, failing)),
            () -> "ranks=" + ranks + " rank=" + victim + " failing call=" + failing);
    Files.delete(path);
    assertEquals(1, failed.stream().distinct().count(), "ranks that failed: " + failed);
    return failed.getFirst();
  }

  private static boolean copy(Communicator world, Path path, int victim, int failing) {
    ArmedFault fault = new ArmedFault();
    try (H5File file = H5File.openForWriting(path, new ProbedCommunicator(world, fault))) {
      fault.arm(victim, failing, ArmedFault.Calls.ALL, FileProbe::deviceFails);
      boolean failed = false;
      try {
        file.copy("/g", file, "/copy", CopyOption.EXPAND_REFERENCES);
      } catch (CollectiveException e) {
        failed = true;
      } finally {
        fault.disarm();
      }
      if (failed) {
        file.copy("/g", file, "/copy", CopyOption.EXPAND_REFERENCES);
      }
      return failed;
    }
  }
}
