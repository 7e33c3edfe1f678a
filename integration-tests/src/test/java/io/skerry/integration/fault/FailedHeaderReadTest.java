package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.fault.FileProbe;
import io.skerry.testkit.fault.ProbedCommunicator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests writes to a dataset whose object header must be read again. */
class FailedHeaderReadTest {
  private static final int RANKS = 3;
  private static final int ELEMENTS = 12;

  /** Number of objects that exceeds the number of unchanged object headers in memory on a rank. */
  private static final int OTHERS = 4200;

  @TempDir Path folder;

  @Test
  void a_failed_read_of_the_header_of_a_dataset_without_a_block_ends_a_write_on_all_ranks() {
    Path path = folder.resolve("file.h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset("/data", DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS)).contiguous());
      for (int i = 0; i < OTHERS; i++) {
        file.createGroup("/others/" + i);
      }
    }
    for (int victim : FailedCalls.victims(RANKS)) {
      int failing = victim;
      List<Integer> failed =
          assertTimeoutPreemptively(
              Duration.ofSeconds(60),
              () -> LocalRanks.call(RANKS, world -> write(world, path, failing)));
      assertEquals(List.of(victim, victim, victim), failed);
    }
  }

  /** Returns the rank that failed. */
  private static int write(Communicator world, Path path, int victim) {
    ArmedFault fault = new ArmedFault();
    H5File file = H5File.openForWriting(path, new ProbedCommunicator(world, fault));
    Dataset data = file.dataset("/data");
    for (int i = 0; i < OTHERS; i++) {
      file.group("/others/" + i);
    }
    fault.arm(victim, 0, ArmedFault.Calls.ALL, FileProbe::deviceFails);
    int[] values = new int[ELEMENTS];
    CollectiveException failure =
        assertThrows(CollectiveException.class, () -> data.write(Selection.all(), values));
    fault.disarm();
    data.write(Selection.all(), values);
    assertArrayEquals(values, data.readInts(Selection.all()));
    file.discard();
    return failure.failingRanks().getFirst();
  }
}
