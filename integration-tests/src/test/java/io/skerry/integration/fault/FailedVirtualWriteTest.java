package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.Verification;
import io.skerry.VirtualLayout;
import io.skerry.VirtualSource;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests writes to a virtual dataset while a file call fails on one rank. */
class FailedVirtualWriteTest {
  private static final int ROWS = 3;
  private static final int COLUMNS = 12;

  @TempDir Path folder;

  private Path row(int row) {
    return folder.resolve("row" + row + ".h5");
  }

  private void make() {
    VirtualLayout.Builder layout = VirtualLayout.builder();
    for (int row = 0; row < ROWS; row++) {
      layout.map(
          Selection.at(row, 0).extent(1, COLUMNS), VirtualSource.of("row" + row + ".h5", "/d"));
      try (H5File file = H5File.create(row(row))) {
        DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(COLUMNS));
        Dataset unused = file.createDataset("/d", row == 0 ? spec : spec.sparse(5));
      }
    }
    try (H5File file = H5File.create(folder.resolve("source.h5"))) {
      Dataset unused =
          file.createDataset(
              "/v", DatasetSpec.of(Datatype.I32, Shape.of(ROWS, COLUMNS)).virtual(layout.build()));
    }
  }

  private static void write(H5File file, Communicator ranks) {
    int width = COLUMNS / ranks.size();
    int[] values = IntStream.range(0, ROWS * width).map(i -> 1 + i).toArray();
    file.dataset("/v").write(Selection.at(0, ranks.rank() * width).extent(ROWS, width), values);
  }

  @Test
  void a_file_call_that_fails_on_one_rank_ends_the_write_on_all_ranks() throws IOException {
    make();
    for (int ranks : new int[] {1, 3}) {
      FailedCalls calls = new FailedCalls(folder.resolve("source.h5"), FileOptions.standard());
      int failed =
          calls.each(
              ranks,
              new FailedCalls.Trial(
                  FailedVirtualWriteTest::write,
                  FailedVirtualWriteTest::write,
                  path -> check(path, ranks)));
      assertTrue(failed > 2 * ranks, "calls that failed: " + failed);
    }
  }

  private void check(Path path, int ranks) {
    List<String> findings = new ArrayList<>();
    Verification.of(path, finding -> findings.add(finding.toString()));
    for (int row = 0; row < ROWS; row++) {
      Verification.of(row(row), finding -> findings.add(finding.toString()));
      try (H5File file = H5File.open(row(row))) {
        int width = COLUMNS / ranks;
        int first = 1 + row * width;
        int[] expected = IntStream.range(0, COLUMNS).map(i -> first + i % width).toArray();
        assertArrayEquals(expected, file.dataset("/d").readInts(Selection.all()), "row " + row);
      }
    }
    assertEquals(List.of(), findings);
  }
}
