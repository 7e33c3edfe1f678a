package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests files that the ranks open with different round limits. */
class DifferentRoundLimitsTest {
  private static final int ELEMENTS = 1000;

  @TempDir Path folder;

  @Test
  void a_contiguous_dataset_is_filled_in_rounds_of_different_sizes() {
    fill(DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS)).contiguous());
  }

  @Test
  void chunks_of_an_implicit_index_are_filled_in_rounds_of_different_sizes() {
    fill(
        DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS))
            .chunked(10)
            .allocation(DatasetSpec.Allocation.EARLY));
  }

  private void fill(DatasetSpec spec) {
    Path path = folder.resolve("limits.h5");
    assertTimeoutPreemptively(
        Duration.ofSeconds(60), () -> LocalRanks.run(3, world -> create(world, path, spec)));
    int[] expected = new int[ELEMENTS];
    Arrays.fill(expected, 7);
    expected[0] = 1;
    try (H5File file = H5File.open(path)) {
      assertArrayEquals(expected, file.dataset("/d").readInts(Selection.all()));
    }
  }

  private static void create(Communicator world, Path path, DatasetSpec spec) {
    FileOptions options = FileOptions.standard().withRoundLimit(100L << 3 * world.rank());
    try (H5File file = H5File.create(path, world, options)) {
      Dataset dataset =
          file.createDataset("/d", spec.fillValue((byte) 7, (byte) 0, (byte) 0, (byte) 0));
      boolean first = world.rank() == 0;
      dataset.write(first ? Selection.at(0) : Selection.none(), first ? new int[] {1} : new int[0]);
    }
  }
}
