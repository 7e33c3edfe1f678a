package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.datatype.Datatype;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the results of {@code defined}. */
class DefinedOrderTest {
  @TempDir Path folder;

  @Test
  void defined_points_keep_their_order_and_repetitions() {
    try (H5File file = H5File.create(folder.resolve("d.h5"))) {
      Dataset dataset =
          file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(20)).sparse(4));
      dataset.write(Selection.at(3).extent(9), new int[] {3, 4, 5, 6, 7, 8, 9, 10, 11});
      Selection asked = Selection.points(1, new long[] {15, 11, 3, 0, 7, 3, 12});
      Selection found = dataset.defined(asked);
      assertArrayEquals(new long[] {11, 3, 7, 3}, found.toCoordinates(dataset.shape()));
      assertArrayEquals(new int[] {11, 3, 7, 3}, dataset.readInts(found));
      assertEquals(Selection.at(3).extent(9), dataset.defined(Selection.at(0).extent(20)));
    }
  }
}
