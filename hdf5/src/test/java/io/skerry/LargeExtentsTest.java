package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests extents with almost 2^63 - 1 elements and more. */
class LargeExtentsTest {
  private static final long LARGEST = Long.MAX_VALUE - 3;

  @TempDir Path folder;

  private static DatasetSpec sparse(long... extent) {
    Shape shape = Shape.of(extent);
    for (int i = 0; i < extent.length; i++) {
      shape = shape.unlimited(i);
    }
    return DatasetSpec.of(Datatype.I32, shape).sparse(4, 4);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void a_dataset_with_more_elements_than_can_be_counted_is_refused(int ranks) {
    Path path = folder.resolve("large.h5");
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            for (DatasetSpec spec :
                List.of(sparse(1L << 62, 2), sparse(LARGEST, LARGEST), sparse(Long.MAX_VALUE, 1))) {
              CollectiveException refusal =
                  assertThrows(CollectiveException.class, () -> file.createDataset("/d", spec));
              assertTrue(refusal.getMessage().contains("2^63 - 1"), refusal.toString());
            }
            Dataset dataset = file.createDataset("/d", sparse(LARGEST, 1));
            dataset.write(
                world.rank() == 0 ? Selection.at(LARGEST - 1, 0) : Selection.none(),
                world.rank() == 0 ? new int[] {7} : new int[0]);
          }
          try (H5File file = H5File.open(path, world)) {
            assertEquals(
                1, file.dataset("/d").defined(Selection.all()).count(Shape.of(LARGEST, 1)));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void an_extension_to_more_elements_than_can_be_counted_is_refused(int ranks) {
    Path path = folder.resolve("grown.h5");
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            Dataset dataset = file.createDataset("/d", sparse(8, 8));
            dataset.write(
                world.rank() == 0 ? Selection.at(7, 7) : Selection.none(),
                world.rank() == 0 ? new int[] {7} : new int[0]);
            CollectiveException refusal =
                assertThrows(CollectiveException.class, () -> dataset.extendTo(1L << 60, 8));
            assertTrue(refusal.getMessage().contains("too many elements"), refusal.toString());
            assertEquals(Shape.of(8, 8).unlimited(0).unlimited(1), dataset.shape());
            dataset.extendTo(1L << 60, 7);
          }
          try (H5File file = H5File.open(path, world)) {
            Dataset dataset = file.dataset("/d");
            assertEquals(1L << 60, dataset.shape().extent(0));
            assertEquals(0, dataset.defined(Selection.all()).count(dataset.shape()));
          }
        });
  }
}
