package io.skerry.integration.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.fault.FileCall;
import io.skerry.testkit.fault.ProbedCommunicator;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts the calls that read and write strided elements of a contiguous dataset on one rank. */
class StridedCallsTest {
  /** The number of selected elements, of 4 bytes each. */
  private static final int SELECTED = 1000;

  @TempDir Path folder;

  private final Map<FileCall, Integer> calls = new EnumMap<>(FileCall.class);

  /** Runs an action on a contiguous dataset, and keeps the number of its calls of each kind. */
  private void count(int stride, Action action) {
    Communicator probed =
        new ProbedCommunicator(
            Communicator.self(),
            (_, call, _, _) -> {
              calls.merge(call, 1, Integer::sum);
              return Optional.empty();
            });
    try (H5File file = H5File.create(folder.resolve("strided.h5"), probed)) {
      Dataset dataset =
          file.createDataset(
              "/d", DatasetSpec.of(Datatype.I32, Shape.of(stride * SELECTED)).contiguous());
      dataset.write(Selection.all(), new int[stride * SELECTED]);
      calls.clear();
      action.run(dataset, Selection.at(0).stride(stride).count(SELECTED));
    }
  }

  private interface Action {
    void run(Dataset dataset, Selection selection);
  }

  private int reads() {
    return calls.getOrDefault(FileCall.READ_ALONE, 0) + calls.getOrDefault(FileCall.READ, 0);
  }

  private int writes() {
    return calls.getOrDefault(FileCall.WRITE_ALONE, 0) + calls.getOrDefault(FileCall.WRITE, 0);
  }

  @Test
  void elements_with_short_gaps_are_read_together() {
    count(
        16,
        (dataset, selection) -> {
          int[] unused = dataset.readInts(selection);
          assertEquals(1, reads());
        });
  }

  @Test
  void elements_with_long_gaps_are_read_one_by_one() {
    count(
        4096,
        (dataset, selection) -> {
          int[] unused = dataset.readInts(selection);
          assertEquals(SELECTED, reads());
        });
  }

  @Test
  void elements_with_short_gaps_are_written_together() {
    count(
        16,
        (dataset, selection) -> {
          dataset.write(selection, new int[SELECTED]);
          assertEquals(1, writes());
          assertEquals(1, reads());
        });
  }

  @Test
  void elements_with_long_gaps_are_written_one_by_one_without_reading() {
    count(
        4096,
        (dataset, selection) -> {
          dataset.write(selection, new int[SELECTED]);
          assertEquals(SELECTED, writes());
          assertEquals(0, reads());
        });
  }
}
