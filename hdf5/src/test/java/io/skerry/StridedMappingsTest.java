package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.skerry.datatype.Datatype;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests reads of virtual datasets through mappings with very many blocks. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StridedMappingsTest {
  private static final long BLOCKS = 1L << 40;

  @TempDir Path folder;

  /** Creates a source whose first and last elements are 1 to 4 and 5 to 8. */
  private void source(Shape shape, Selection first, Selection last, long... chunk) {
    try (H5File file = H5File.create(folder.resolve("source.h5"))) {
      DatasetSpec spec = DatasetSpec.of(Datatype.I32, shape.unlimited(0)).chunked(chunk);
      Dataset source = file.createDataset("s", spec);
      source.write(first, new int[] {1, 2, 3, 4});
      source.write(last, new int[] {5, 6, 7, 8});
    }
  }

  private Dataset virtual(H5File file, Shape shape, Selection virtual, Selection source) {
    VirtualLayout layout =
        VirtualLayout.builder()
            .map(virtual, VirtualSource.of("source.h5", "/s").select(source))
            .build();
    return file.createDataset("v", DatasetSpec.of(Datatype.I32, shape).virtual(layout));
  }

  @Test
  void blocks_far_apart_are_read_from_one_dimension() {
    source(
        Shape.of(BLOCKS), Selection.at(0).extent(4), Selection.at(BLOCKS - 4).extent(4), 1 << 16);
    try (H5File file = H5File.create(folder.resolve("virtual.h5"))) {
      Dataset virtual =
          virtual(
              file,
              Shape.of(2 * BLOCKS),
              Selection.at(0).stride(2).count(BLOCKS),
              Selection.at(0).extent(BLOCKS));
      assertArrayEquals(
          new int[] {1, 0, 2, 0, 3, 0, 4, 0}, virtual.readInts(Selection.at(0).extent(8)));
      assertArrayEquals(
          new int[] {0, 7, 0, 8, 0}, virtual.readInts(Selection.at(2 * BLOCKS - 5).extent(5)));
      assertArrayEquals(
          new int[] {2, 8, 0, 1},
          virtual.readInts(Selection.points(new long[][] {{2}, {2 * BLOCKS - 2}, {3}, {0}})));
      assertArrayEquals(
          new int[] {1, 0, 2, 0, 8, 0},
          virtual.readInts(
              Selection.at(0).extent(3).union(Selection.at(2 * BLOCKS - 3).extent(3))));
    }
  }

  @Test
  void blocks_far_apart_are_read_from_a_source_with_very_many_blocks() {
    source(
        Shape.of(2 * BLOCKS),
        Selection.at(0).stride(2).count(4),
        Selection.at(2 * BLOCKS - 8).stride(2).count(4),
        1 << 16);
    try (H5File file = H5File.create(folder.resolve("virtual.h5"))) {
      Dataset virtual =
          virtual(
              file,
              Shape.of(BLOCKS),
              Selection.at(0).extent(BLOCKS),
              Selection.at(0).stride(2).count(BLOCKS));
      assertArrayEquals(
          new int[] {2, 8, 1},
          virtual.readInts(Selection.points(new long[][] {{1}, {BLOCKS - 1}, {0}})));
      assertArrayEquals(
          new int[] {5, 6, 7, 8}, virtual.readInts(Selection.at(BLOCKS - 4).extent(4)));
    }
  }

  @Test
  void elements_of_one_row_with_very_many_blocks_are_read() {
    source(
        Shape.of(2, BLOCKS),
        Selection.at(0, 0).extent(1, 4),
        Selection.at(1, BLOCKS - 4).extent(1, 4),
        1,
        1 << 16);
    try (H5File file = H5File.create(folder.resolve("virtual.h5"))) {
      Dataset virtual =
          virtual(
              file,
              Shape.of(2, 2 * BLOCKS),
              Selection.at(0, 1).stride(1, 2).count(2, BLOCKS),
              Selection.at(0, 0).extent(2, BLOCKS));
      assertArrayEquals(new int[] {0, 1, 0, 2}, virtual.readInts(Selection.at(0, 0).extent(1, 4)));
      assertArrayEquals(
          new int[] {0, 7, 0, 8}, virtual.readInts(Selection.at(1, 2 * BLOCKS - 4).extent(1, 4)));
      assertArrayEquals(
          new int[] {8, 1, 0},
          virtual.readInts(Selection.points(new long[][] {{1, 2 * BLOCKS - 1}, {0, 1}, {1, 1}})));
    }
  }
}
