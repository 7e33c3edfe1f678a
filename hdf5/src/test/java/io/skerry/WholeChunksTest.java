package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests chunks that are written as a whole and stored before the flush. */
class WholeChunksTest {
  private static final int ROWS = 24;
  private static final int COLUMNS = 35;

  @TempDir Path folder;

  private static FileOptions ahead() {
    return FileOptions.standard().withAheadLimit(0).withRoundLimit(500);
  }

  private static List<DatasetSpec> specs() {
    DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(ROWS, COLUMNS).unlimited(0));
    return List.of(
        spec.chunked(4, 10),
        spec.chunked(1, 35),
        spec.chunked(4, 10).filters(Filters.shuffle(), Filters.deflate(3)),
        spec.sparse(4, 10));
  }

  @Test
  void random_writes_of_all_sizes_agree_with_an_array() {
    for (int s = 0; s < specs().size(); s++) {
      DatasetSpec spec = specs().get(s);
      for (int ranks : new int[] {1, 3}) {
        Path path = folder.resolve(s + "-" + ranks + ".h5");
        int seed = s * 10 + ranks;
        LocalRanks.run(
            ranks,
            world -> {
              try (H5File file = H5File.create(path, world, ahead())) {
                trial(file.createDataset("/d", spec), file, world.rank(), world.size(), seed);
              }
            });
        List<Verification.Finding> findings = new ArrayList<>();
        Verification.of(path, findings::add);
        assertEquals(List.of(), findings);
      }
    }
  }

  /** Writes random boxes into the rows of each rank, and compares all rows with an array. */
  private static void trial(Dataset d, H5File file, int me, int ranks, int seed) {
    Random random = new Random(seed);
    int[] model = new int[ROWS * COLUMNS];
    int band = ROWS / ranks;
    int steps = Boolean.getBoolean("skerry.thorough") ? 40 : 20;
    for (int step = 0; step < steps; step++) {
      for (int rank = 0; rank < ranks; rank++) {
        boolean whole = random.nextInt(3) > 0;
        int row = whole ? 0 : random.nextInt(band);
        int column = whole ? 0 : random.nextInt(COLUMNS);
        int height = whole ? band : 1 + random.nextInt(band - row);
        int width = whole ? COLUMNS : 1 + random.nextInt(COLUMNS - column);
        int[] values = random.ints((long) height * width).toArray();
        for (int i = 0; i < height; i++) {
          System.arraycopy(
              values, i * width, model, (rank * band + row + i) * COLUMNS + column, width);
        }
        if (rank == me) {
          d.write(Selection.at(rank * (long) band + row, column).extent(height, width), values);
        }
      }
      switch (random.nextInt(6)) {
        case 0 -> file.flush();
        case 1 -> assertArrayEquals(model, d.readInts(Selection.all()));
        default -> {}
      }
    }
    assertArrayEquals(model, d.readInts(Selection.all()));
  }

  /** Tests ranks whose rows are in the middle of a larger segment. */
  @Test
  void values_in_native_memory_of_several_ranks_are_stored_like_those_of_an_array() {
    Path path = folder.resolve("shares.h5");
    LocalRanks.run(
        3,
        world -> {
          try (Arena arena = Arena.ofShared();
              H5File file = H5File.create(path, world, ahead())) {
            MemorySegment room = arena.allocate(ValueLayout.JAVA_INT, 20 * 100 + 300);
            MemorySegment values = room.asSlice(400, 20 * 100 * 4);
            for (int i = 0; i < 2000; i++) {
              values.setAtIndex(ValueLayout.JAVA_INT, i, (world.rank() * 2000 + i) * 31);
            }
            for (long[] chunk : new long[][] {{5, 100}, {10, 50}, {7, 33}}) {
              Dataset d =
                  file.createDataset(
                      "/d" + chunk[0],
                      DatasetSpec.of(Datatype.I32, Shape.of(60, 100)).chunked(chunk[0], chunk[1]));
              Selection rows = Selection.at(20L * world.rank(), 0).extent(20, 100);
              d.write(rows, Datatype.I32, values);
              MemorySegment back = arena.allocate(ValueLayout.JAVA_INT, 2000);
              d.read(rows, Datatype.I32, back);
              assertEquals(-1, values.mismatch(back), "d" + chunk[0]);
            }
          }
        });
    int[] expected = new int[6000];
    Arrays.setAll(expected, i -> i * 31);
    try (H5File file = H5File.open(path)) {
      for (String name : List.of("/d5", "/d10", "/d7")) {
        assertArrayEquals(expected, file.dataset(name).readInts(Selection.all()), name);
      }
    }
  }

  @Test
  void values_in_native_memory_are_stored_like_those_of_an_array() {
    Path path = folder.resolve("native.h5");
    try (Arena arena = Arena.ofConfined();
        H5File file = H5File.create(path, Communicator.self(), ahead())) {
      MemorySegment values = arena.allocate(ValueLayout.JAVA_INT, 60 * 100);
      for (int i = 0; i < 6000; i++) {
        values.setAtIndex(ValueLayout.JAVA_INT, i, i * 31);
      }
      for (long[] chunk : new long[][] {{10, 100}, {7, 33}}) {
        Dataset d =
            file.createDataset(
                "/d" + chunk[0],
                DatasetSpec.of(Datatype.I32, Shape.of(60, 100)).chunked(chunk[0], chunk[1]));
        d.write(Selection.all(), Datatype.I32, values);
      }
    }
    int[] expected = new int[6000];
    Arrays.setAll(expected, i -> i * 31);
    try (Arena arena = Arena.ofConfined();
        H5File file = H5File.open(path)) {
      MemorySegment values = arena.allocate(ValueLayout.JAVA_INT, 60 * 100);
      file.dataset("/d7").read(Selection.all(), Datatype.I32, values);
      assertArrayEquals(expected, values.toArray(ValueLayout.JAVA_INT));
      assertArrayEquals(expected, file.dataset("/d10").readInts(Selection.all()));
      assertArrayEquals(expected, file.dataset("/d7").readInts(Selection.all()));
    }
  }

  @Test
  void repeated_writes_without_a_flush_do_not_make_the_file_grow() {
    for (int s = 0; s < specs().size(); s++) {
      Path path = folder.resolve("over" + s + ".h5");
      int[] values = new Random(s).ints(ROWS * COLUMNS).toArray();
      long live = values.length * 4L;
      try (H5File file = H5File.create(path, Communicator.self(), ahead())) {
        Dataset d = file.createDataset("/d", specs().get(s));
        for (int i = 0; i < 100; i++) {
          values[i] = i;
          d.write(Selection.all(), values);
        }
        file.flush();
        assertArrayEquals(values, d.readInts(Selection.all()));
      }
      try (H5File file = H5File.open(path)) {
        assertArrayEquals(values, file.dataset("/d").readInts(Selection.all()));
        assertTrue(file.size() < 4 * live + 8192, "bytes=" + file.size() + " live=" + live);
      }
    }
  }

  @Test
  void chunks_of_a_removed_or_discarded_dataset_are_freed() {
    Path path = folder.resolve("gone.h5");
    int[] values = new Random(1).ints(ROWS * COLUMNS).toArray();
    try (H5File file = H5File.create(path, Communicator.self(), ahead())) {
      file.createDataset("/kept", specs().getFirst()).write(Selection.all(), values);
      file.createDataset("/removed", specs().getFirst()).write(Selection.all(), values);
      file.unlink("/removed");
    }
    try (H5File file = H5File.openForWriting(path, Communicator.self(), ahead())) {
      file.dataset("/kept").write(Selection.all(), new int[values.length]);
      file.discard();
    }
    List<Verification.Finding> findings = new ArrayList<>();
    Verification.of(path, findings::add);
    assertEquals(List.of(), findings);
  }

  @Test
  void a_contiguous_dataset_is_written_from_and_read_into_memory_confined_to_a_thread() {
    Path path = folder.resolve("block.h5");
    int count = 3 << 20;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment values = arena.allocate(ValueLayout.JAVA_INT, count);
      for (int i = 0; i < count; i++) {
        values.setAtIndex(ValueLayout.JAVA_INT, i, i * 17);
      }
      try (H5File file = H5File.create(path)) {
        Shape shape = Shape.of(3, 1 << 20);
        file.createDataset("/native", DatasetSpec.of(Datatype.I32, shape).contiguous())
            .write(Selection.all(), Datatype.I32, values);
        file.createDataset("/array", DatasetSpec.of(Datatype.I32, shape).contiguous())
            .write(Selection.all(), values.toArray(ValueLayout.JAVA_INT));
      }
      try (H5File file = H5File.open(path)) {
        for (String name : List.of("/native", "/array")) {
          MemorySegment back = arena.allocate(ValueLayout.JAVA_INT, count);
          file.dataset(name).read(Selection.all(), Datatype.I32, back);
          assertEquals(-1, values.mismatch(back));
          int[] array = file.dataset(name).readInts(Selection.all());
          assertEquals(-1, values.mismatch(MemorySegment.ofArray(array)));
        }
      }
    }
  }
}
