package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.TransferReport.Departure;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests datasets that no rank refers to any more, in a file with very many datasets. */
class UnusedDatasetsTest {
  /** A number of datasets large enough to trigger the search for unused ones. */
  private static final int DATASETS = 1100;

  @TempDir Path folder;

  private static Selection mine(Communicator world) {
    return Selection.at(12 * world.rank(), 0).extent(11, 9);
  }

  /** Writes twice; the second write flushes the first one, and leaves its own changes unflushed. */
  private static void writeTwice(H5File file, Communicator world) {
    DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(24, 10)).sparse(4, 10);
    Dataset dataset = file.createDataset("/unused", spec);
    dataset.write(mine(world), new int[99]);
    dataset.write(mine(world), sevens());
    assertTrue(file.lastTransfer().orElseThrow().departures().contains(Departure.FLUSHED_FIRST));
  }

  private static int[] sevens() {
    int[] values = new int[99];
    Arrays.fill(values, 7);
    return values;
  }

  @Test
  void changes_of_a_write_that_flushed_first_are_kept_while_no_rank_refers_to_the_dataset() {
    FileOptions options = FileOptions.standard().withDirtyLimit(300);
    LocalRanks.run(
        2,
        world -> {
          try (H5File file = H5File.create(folder.resolve("many.h5"), world, options)) {
            writeTwice(file, world);
            DatasetSpec other = DatasetSpec.of(Datatype.I32, Shape.of(4)).chunked(4);
            for (int i = 0; i < DATASETS; i++) {
              Dataset unused = file.createDataset("/d" + i, other);
              if (i == DATASETS / 2) {
                System.gc();
              }
            }
            assertArrayEquals(sevens(), file.dataset("/unused").readInts(mine(world)));
          }
        });
  }
}
