package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that both read paths return the same values: whole unfiltered chunks with long rows are
 * read directly into native memory, edge chunks and all other chunks through a buffer.
 */
class ChunksReadInPlaceTest {
  @TempDir Path folder;

  @Test
  void boxes_at_any_position_and_of_any_size_are_read_as_written() {
    for (int seed = 0; seed < 30; seed++) {
      Random random = new Random(seed);
      int planes = 1 + random.nextInt(5);
      int rows = 1 + random.nextInt(40);
      int columns = 1 + random.nextInt(3000);
      int[] values = random.ints((long) planes * rows * columns).toArray();
      Path path = folder.resolve(seed + ".h5");
      try (H5File file = H5File.create(path)) {
        DatasetSpec spec =
            DatasetSpec.of(Datatype.I32, Shape.of(planes, rows, columns).unlimited(seed % 3))
                .chunked(
                    Math.min(planes, 1 + random.nextInt(3)),
                    Math.min(rows, 1 + random.nextInt(20)),
                    Math.min(columns, 1 + random.nextInt(1500)));
        file.createDataset("/d", spec).write(Selection.all(), values);
      }
      try (H5File file = H5File.open(path)) {
        Dataset d = file.dataset("/d");
        compare(values, read(d, Selection.all(), values.length), "all, seed " + seed);
        for (int box = 0; box < 10; box++) {
          long[] start = {
            random.nextInt(planes), random.nextInt(rows), random.nextInt(4) * columns / 4
          };
          long[] count = {
            1 + random.nextInt(planes - (int) start[0]),
            1 + random.nextInt(rows - (int) start[1]),
            1 + random.nextInt(columns - (int) start[2])
          };
          int[] expected = box(values, rows, columns, start, count);
          Selection selection = Selection.box(start, count);
          String what = Arrays.toString(start) + Arrays.toString(count) + " seed " + seed;
          compare(expected, read(d, selection, expected.length), what);
        }
      }
    }
  }

  private static int[] read(Dataset d, Selection selection, int count) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment room = arena.allocate(4L * count, 4).fill((byte) 0x55);
      d.read(selection, Datatype.I32, room);
      return room.toArray(ValueLayout.JAVA_INT);
    }
  }

  private static int[] box(int[] values, int rows, int columns, long[] start, long[] count) {
    int[] box = new int[Math.toIntExact(count[0] * count[1] * count[2])];
    int at = 0;
    for (long p = start[0]; p < start[0] + count[0]; p++) {
      for (long r = start[1]; r < start[1] + count[1]; r++) {
        int from = Math.toIntExact((p * rows + r) * columns + start[2]);
        System.arraycopy(values, from, box, at, (int) count[2]);
        at += (int) count[2];
      }
    }
    return box;
  }

  private static void compare(int[] expected, int[] actual, String what) {
    assertEquals(-1, Arrays.mismatch(expected, actual), what);
  }

  @Test
  void thread_confined_and_read_only_memory_is_respected() {
    Path path = written();
    try (H5File file = H5File.open(path);
        Arena arena = Arena.ofConfined()) {
      MemorySegment room = arena.allocate(4 * 16 * 2048, 4);
      file.dataset("/d").read(Selection.all(), Datatype.I32, room);
      assertEquals(16 * 2048 - 1, room.getAtIndex(ValueLayout.JAVA_INT, 16 * 2048 - 1));
      assertThrows(
          RuntimeException.class,
          () -> file.dataset("/d").read(Selection.all(), Datatype.I32, room.asReadOnly()));
      assertEquals(16 * 2048 - 1, room.getAtIndex(ValueLayout.JAVA_INT, 16 * 2048 - 1));
    }
  }

  @Test
  void a_file_truncated_while_open_is_refused_by_name() throws IOException {
    Path path = written();
    try (H5File file = H5File.open(path);
        Arena arena = Arena.ofShared()) {
      Dataset d = file.dataset("/d");
      d.shape();
      try (RandomAccessFile other = new RandomAccessFile(path.toFile(), "rw")) {
        other.setLength(Files.size(path) - 4096);
      }
      MemorySegment room = arena.allocate(4 * 16 * 2048, 4);
      CollectiveException refused =
          assertThrows(
              CollectiveException.class, () -> d.read(Selection.all(), Datatype.I32, room));
      assertTrue(refused.getMessage().contains(path.toString()), refused.getMessage());
    }
  }

  private Path written() {
    Path path = folder.resolve("written.h5");
    int[] values = new int[16 * 2048];
    Arrays.setAll(values, i -> i);
    try (H5File file = H5File.create(path)) {
      file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(16, 2048)).chunked(8, 1024))
          .write(Selection.all(), values);
    }
    return path;
  }
}
