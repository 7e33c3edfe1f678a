package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.H5File;
import io.skerry.Verification;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Shape;
import io.skerry.testkit.fault.FileProbe;
import io.skerry.testkit.fault.ProbedCommunicator;
import io.skerry.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests attribute changes during which a file call fails on one rank. */
class FailedAttributeTest {
  private static final Datatype TEXTS =
      VariableLength.sequence(VariableLength.string(CharacterSet.UTF8));

  @TempDir Path folder;

  @Test
  void a_read_that_fails_on_one_rank_ends_a_change_of_an_attribute_on_all_ranks()
      throws IOException {
    Path source = folder.resolve("source.h5");
    try (H5File file = H5File.create(source)) {
      set(file, "old");
    }
    for (int ranks : new int[] {1, 3}) {
      for (int victim = 0; victim < ranks; victim++) {
        int failing = 0;
        while (fails(source, ranks, victim, failing)) {
          failing++;
        }
        assertTrue(victim > 0 || failing >= 1, "file calls that failed: " + failing);
      }
    }
  }

  private static void set(H5File file, String text) {
    file.root()
        .setAttribute(
            "texts",
            TEXTS,
            Shape.scalar(),
            List.of(new Value.Sequence(List.of(new Value.Text(text)))));
  }

  /**
   * Makes file call number {@code failing} fail on a rank, and returns whether the change failed.
   */
  private boolean fails(Path source, int ranks, int victim, int failing) throws IOException {
    Path path = folder.resolve("changed.h5");
    Files.copy(source, path);
    List<Boolean> failed =
        assertTimeoutPreemptively(
            Duration.ofSeconds(60),
            () -> LocalRanks.call(ranks, world -> change(world, path, victim, failing)),
            () -> "ranks=" + ranks + " rank=" + victim + " failing call=" + failing);
    List<String> findings = new ArrayList<>();
    Verification.of(path, finding -> findings.add(finding.toString()));
    assertEquals(List.of(), findings);
    Files.delete(path);
    assertEquals(1, failed.stream().distinct().count(), "ranks that failed: " + failed);
    return failed.getFirst();
  }

  private static boolean change(Communicator world, Path path, int victim, int failing) {
    ArmedFault fault = new ArmedFault();
    try (H5File file = H5File.openForWriting(path, new ProbedCommunicator(world, fault))) {
      fault.arm(victim, failing, ArmedFault.Calls.ALL, FileProbe::deviceFails);
      boolean failed = false;
      try {
        set(file, "new");
      } catch (CollectiveException e) {
        failed = true;
      } finally {
        fault.disarm();
      }
      if (failed) {
        set(file, "new");
      }
      return failed;
    }
  }
}
