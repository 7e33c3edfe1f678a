package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the last value is stored if a list of points contains an element repeatedly. */
class RepeatedPointsTest {
  private static final DatasetSpec FOUR =
      DatasetSpec.of(Datatype.I32, Shape.of(4)).fillValue((byte) 7, (byte) 0, (byte) 0, (byte) 0);

  @TempDir Path folder;

  static Stream<DatasetSpec> specs() {
    return Stream.of(
        FOUR.contiguous(),
        FOUR.compact(),
        FOUR.chunked(4),
        FOUR.chunked(4).filters(Filters.deflate(1)),
        FOUR.sparse(4));
  }

  @ParameterizedTest
  @MethodSource("specs")
  void an_element_that_the_first_write_does_not_name_has_the_fill_value(DatasetSpec spec) {
    Path path = folder.resolve("points.h5");
    Selection points = Selection.points(1, new long[] {0, 0, 1, 2});
    try (H5File file = H5File.create(path)) {
      Dataset dataset = file.createDataset("d", spec);
      dataset.write(points, new int[] {1, 2, 3, 4});
      assertArrayEquals(new int[] {2, 3, 4, 7}, dataset.readInts(Selection.all()));
    }
    try (H5File file = H5File.open(path)) {
      Dataset dataset = file.dataset("d");
      assertArrayEquals(new int[] {2, 3, 4, 7}, dataset.readInts(Selection.all()));
      boolean sparse = spec.storage() == DatasetSpec.Storage.SPARSE;
      assertEquals(sparse ? 3 : 4, dataset.defined(Selection.all()).count(dataset.shape()));
    }
  }
}
