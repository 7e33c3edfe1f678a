package io.skerry.integration.dataset;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Cases of files that are opened with hints for the MPI library. */
public final class HintCases implements RankedCases {
  private static final int STRIPE = 64 << 10;
  private static final int COLUMNS = 4096;

  @Override
  public List<RankedCase> cases() {
    return List.of(
        new RankedCase("what_is_written_together_begins_with_a_stripe", HintCases::stripes),
        new RankedCase("hints_that_differ_between_ranks_are_refused_on_all", HintCases::differ));
  }

  private static FileOptions options(int aggregators) {
    return FileOptions.standard()
        .withAheadLimit(0)
        .withHints(
            Map.of(
                "cb_nodes", Integer.toString(aggregators),
                "striping_unit", Integer.toString(STRIPE)));
  }

  private static void stripes(Communicator world) throws IOException {
    int rows = 16 * world.size();
    try (SharedFolder folder = SharedFolder.create(world)) {
      Path path = folder.file("hints.h5");
      try (H5File file = H5File.create(path, world, options(1))) {
        Dataset data =
            file.createDataset(
                "d", DatasetSpec.of(Datatype.I32, Shape.of(rows, COLUMNS)).chunked(4, COLUMNS));
        int[] values = new int[16 * COLUMNS];
        Arrays.fill(values, world.rank() + 1);
        data.write(Selection.at(16L * world.rank(), 0).extent(16, COLUMNS), values);
        file.flush();
        long first = Long.MAX_VALUE;
        for (int row = 0; row < rows; row += 4) {
          first = Math.min(first, data.chunks().at(row, 0).orElseThrow().address());
        }
        if (world.size() > 1) {
          Expect.equal(
              0L, first % STRIPE, "the first chunk begins with a stripe: address=" + first);
        }
      }
      try (H5File file = H5File.open(path, world, options(1))) {
        int[] row = file.dataset("d").readInts(Selection.at(rows - 1L, 0).extent(1, COLUMNS));
        Expect.equal(world.size(), row[COLUMNS - 1], "the last value");
      }
      world.barrier();
    }
  }

  private static void differ(Communicator world) throws IOException {
    if (world.size() == 1) {
      return;
    }
    try (SharedFolder folder = SharedFolder.create(world)) {
      Path path = folder.file("differ.h5");
      FileOptions mine = options(world.rank() == 0 ? 1 : 2);
      Expect.thrown(
          CollectiveException.class, () -> H5File.create(path, world, mine).close(), "other hints");
      world.barrier();
    }
  }
}
