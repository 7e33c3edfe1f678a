package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.datatype.Datatype;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManyMappingsTest {
  @TempDir Path folder;

  /** Writes a source of the given shape; element i has the value first + i. */
  private void source(String name, int first, long... extent) {
    try (H5File file = H5File.create(folder.resolve(name))) {
      int[] values = new int[(int) Shape.of(extent).elements()];
      Arrays.setAll(values, i -> first + i);
      file.createDataset("d", DatasetSpec.of(Datatype.I32, Shape.of(extent)))
          .write(Selection.all(), values);
    }
  }

  @Test
  void files_that_were_read_stay_open_for_the_next_read() throws IOException {
    VirtualLayout.Builder layout = VirtualLayout.builder();
    for (int i = 0; i < 100; i++) {
      source("f" + i + ".h5", 10 * i, 4);
      layout.map(Selection.at(i, 0).extent(1, 4), VirtualSource.of("f" + i + ".h5", "/d"));
    }
    Path path = folder.resolve("all.h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset(
          "all", DatasetSpec.of(Datatype.I32, Shape.of(100, 4)).virtual(layout.build()));
    }
    try (H5File file = H5File.open(path)) {
      Dataset all = file.dataset("all");
      int[] before = all.readInts(Selection.all());
      for (int i = 0; i < 100; i++) {
        Files.delete(folder.resolve("f" + i + ".h5"));
      }
      assertArrayEquals(before, all.readInts(Selection.all()));
      assertArrayEquals(
          new int[] {420, 421, 422, 423}, all.readInts(Selection.at(42, 0).extent(1, 4)));
    }
  }

  /** A layout of random blocks, of which later ones cover earlier ones, and the expected values. */
  private static final class Model {
    private final VirtualLayout.Builder layout = VirtualLayout.builder();
    private final int[] values;
    private final int rows;
    private final int columns;

    Model(int rows, int columns) {
      this.rows = rows;
      this.columns = columns;
      this.values = new int[rows * columns];
    }

    void add(Random random, int source, int sourceRows, int sourceColumns) {
      int height = 1 + random.nextInt(Math.min(5, sourceRows));
      int width = 1 + random.nextInt(Math.min(9, sourceColumns));
      int row = random.nextInt(rows - height + 1);
      int column = random.nextInt(columns - width + 1);
      int fromRow = random.nextInt(sourceRows - height + 1);
      int fromColumn = random.nextInt(sourceColumns - width + 1);
      layout.map(
          Selection.at(row, column).extent(height, width),
          VirtualSource.of("s" + source + ".h5", "/d")
              .select(Selection.at(fromRow, fromColumn).extent(height, width)));
      for (int r = 0; r < height; r++) {
        for (int c = 0; c < width; c++) {
          values[(row + r) * columns + column + c] =
              1000 * source + (fromRow + r) * sourceColumns + fromColumn + c + 1;
        }
      }
    }

    int[] box(int row, int column, int height, int width) {
      int[] part = new int[height * width];
      for (int i = 0; i < part.length; i++) {
        part[i] = values[(row + i / width) * columns + column + i % width];
      }
      return part;
    }
  }

  private static Box box(Random random, Model model) {
    int row = random.nextInt(model.rows);
    int column = random.nextInt(model.columns);
    long[] end = {
      row + 1 + random.nextInt(model.rows - row),
      column + 1 + random.nextInt(model.columns - column)
    };
    return new Box(new long[] {row, column}, end);
  }

  @Test
  void reads_through_random_mappings_equal_a_plain_array() {
    Random random = new Random(21);
    for (int source = 0; source < 3; source++) {
      source("s" + source + ".h5", 1000 * source + 1, 6 + source, 12 - source);
    }
    for (int round = 0; round < 60; round++) {
      Model model = new Model(6 + random.nextInt(40), 10 + random.nextInt(30));
      int count = random.nextInt(round % 2 == 0 ? 12 : 200);
      for (int i = 0; i < count; i++) {
        int source = random.nextInt(3);
        model.add(random, source, 6 + source, 12 - source);
      }
      Path path = folder.resolve("virtual" + round + ".h5");
      try (H5File file = H5File.create(path)) {
        file.createDataset(
            "v",
            DatasetSpec.of(Datatype.I32, Shape.of(model.rows, model.columns))
                .virtual(model.layout.build()));
      }
      try (H5File file = H5File.open(path)) {
        compare(file.dataset("v"), model, random);
      }
    }
  }

  private static void compare(Dataset dataset, Model model, Random random) {
    assertArrayEquals(model.values, dataset.readInts(Selection.all()));
    for (int i = 0; i < 20; i++) {
      Box box = box(random, model);
      long[] size = {box.end(0) - box.start(0), box.end(1) - box.start(1)};
      int[] expected =
          model.box((int) box.start(0), (int) box.start(1), (int) size[0], (int) size[1]);
      assertArrayEquals(expected, dataset.readInts(Selection.box(box.start(), size)), "" + box);
    }
    for (int i = 0; i < 5; i++) {
      Selection blocks = Selection.blocks(List.of(box(random, model), box(random, model)));
      List<Integer> expected = new ArrayList<>();
      blocks.forEachRun(
          dataset.shape(),
          (at, length) -> {
            for (int k = 0; k < length; k++) {
              expected.add(model.values[(int) at[0] * model.columns + (int) at[1] + k]);
            }
          });
      int[] read = dataset.readInts(blocks);
      assertEquals(expected, Arrays.stream(read).boxed().toList(), "" + blocks);
    }
  }
}
