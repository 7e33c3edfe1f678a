package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.NoSuchObjectException;
import io.skerry.Verification;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.fault.ProbedCommunicator;
import io.skerry.value.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a copy during which a file call fails on one rank leaves a valid file. */
class FailedCopyTest {
  private static final int ELEMENTS = 64;

  @TempDir Path folder;

  @Test
  void a_copy_that_fails_leaves_no_link_to_a_deleted_object() {
    for (int ranks : new int[] {1, 3}) {
      int failing = 0;
      while (fails(ranks, failing)) {
        failing++;
      }
      assertTrue(failing >= 2, "file calls that failed: " + failing);
    }
  }

  /**
   * Makes file call number {@code failing} fail on the last rank, and returns whether the copy
   * failed.
   */
  private boolean fails(int ranks, int failing) {
    Path path = folder.resolve(ranks + "-" + failing + ".h5");
    boolean failed =
        assertTimeoutPreemptively(
            Duration.ofSeconds(60),
            () -> LocalRanks.call(ranks, world -> copy(world, path, failing)).getFirst());
    List<String> findings = new ArrayList<>();
    Verification.of(path, finding -> findings.add(finding.toString()));
    assertEquals(List.of(), findings, () -> "ranks=" + ranks + " failing call=" + failing);
    return failed;
  }

  private static boolean copy(Communicator world, Path path, int failing) {
    int[] values = new int[ELEMENTS];
    values[7] = 7;
    ArmedFault fault = new ArmedFault();
    try (H5File file = H5File.create(path, new ProbedCommunicator(world, fault))) {
      file.createDataset("/g/data", DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS)).chunked(8))
          .write(
              world.rank() == 0 ? Selection.all() : Selection.none(),
              world.rank() == 0 ? values : new int[0]);
      file.group("/g")
          .setAttribute(
              "text",
              VariableLength.string(CharacterSet.UTF8),
              Shape.scalar(),
              List.of(new Value.Text("content in the global heap")));
      file.flush();
      fault.arm(world.size() - 1, failing);
      boolean failed = false;
      try {
        file.copy("/g", file, "/copy");
      } catch (CollectiveException e) {
        failed = true;
      } finally {
        fault.disarm();
      }
      if (failed) {
        assertThrows(NoSuchObjectException.class, () -> file.group("/copy"));
        file.flush();
        file.copy("/g", file, "/copy");
      }
      assertArrayEquals(values, file.dataset("/copy/data").readInts(Selection.all()));
      return failed;
    }
  }
}
