package io.skerry.integration.interop.foreign;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads lists of points of virtual datasets, in any order and with repetitions. */
class VirtualPointsTest {
  private static final int ROWS = 6;
  private static final int COLUMNS = 7;

  /** Row 2 has no source; the columns of the other rows are in two parts, which are interleaved. */
  private static final String MAKE =
      """
      import h5py
      with h5py.File("virtual.h5", "w", libver="latest") as f:
          for name in ("dense", "sparse"):
              layout = h5py.VirtualLayout((6, 7), "<i8")
              for part in range(2):
                  width = 4 - part
                  source = h5py.VirtualSource(name + ".h5", "part%d" % part, (5, width), "<i4")
                  layout[0:2, part::2] = source[0:2, :]
                  layout[3:6, part::2] = source[2:5, :]
              f.create_virtual_dataset(name, layout, fillvalue=-1)
          layout = h5py.VirtualLayout((3,), [("a", "<i4"), ("b", "<i4")])
          layout[...] = h5py.VirtualSource("dense.h5", "pairs", (3,), [("a", "<i4"), ("b", "<i4")])
          f.create_virtual_dataset("pairs", layout)
      """;

  @TempDir Path folder;

  @BeforeEach
  void makes_virtual_datasets_with_dense_and_sparse_sources() {
    assumeFalse(Oracle.h5py().isEmpty(), "skipped: no Python with h5py");
    for (String name : List.of("dense", "sparse")) {
      try (H5File file = H5File.create(folder.resolve(name + ".h5"))) {
        for (int part = 0; part < 2; part++) {
          int width = 4 - part;
          DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(5, width));
          int[] values = new int[5 * width];
          for (int i = 0; i < values.length; i++) {
            values[i] = value(i / width < 2 ? i / width : i / width + 1, i % width * 2 + part);
          }
          file.createDataset("part" + part, name.equals("dense") ? spec : spec.sparse(2, 2))
              .write(Selection.all(), values);
        }
        if (name.equals("dense")) {
          DatasetSpec spec = DatasetSpec.of(pair(8), Shape.of(3));
          file.createDataset("pairs", spec)
              .write(
                  Selection.all(), pair(8), MemorySegment.ofArray(pairs(10, 11, 20, 21, 30, 31)));
        }
      }
    }
    Oracle.h5py().getFirst().run(folder, "-c", MAKE).expectSuccess();
  }

  private static int value(int row, int column) {
    return row == 2 ? -1 : 100 * row + column;
  }

  private static Compound pair(int size) {
    return new Compound(
        size,
        List.of(
            new Compound.Member("a", 0, Datatype.I32),
            new Compound.Member("b", size - 4, Datatype.I32)));
  }

  private static byte[] pairs(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    Arrays.stream(values).forEach(bytes::putInt);
    return bytes.array();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void each_point_of_a_list_has_its_own_value_even_if_it_repeats(int ranks) {
    List<Boolean> unused = LocalRanks.call(ranks, this::readLists);
  }

  private boolean readLists(Communicator world) {
    try (H5File file = H5File.open(folder.resolve("virtual.h5"), world)) {
      for (String name : List.of("dense", "sparse")) {
        Dataset dataset = file.dataset(name);
        check(dataset, new long[][] {{0, 1}, {0, 1}, {4, 6}});
        check(dataset, new long[][] {{4, 6}, {0, 1}, {4, 6}, {0, 0}});
        check(dataset, new long[][] {{3, 0}, {3, 1}, {3, 2}, {3, 3}, {3, 1}, {3, 1}, {3, 2}});
        check(dataset, new long[][] {{2, 2}, {2, 2}, {1, 0}, {2, 2}, {1, 0}});
        Random random = new Random(world.rank() + 5);
        for (int run = 0; run < 40; run++) {
          check(dataset, points(random, 1 + random.nextInt(80)));
        }
      }
    }
    return true;
  }

  private static long[][] points(Random random, int count) {
    long[][] points = new long[count][];
    for (int i = 0; i < count; i++) {
      long[] before = i == 0 ? new long[] {0, COLUMNS} : points[i - 1];
      boolean next = random.nextInt(3) > 0 && before[1] < COLUMNS - 1;
      points[i] =
          next
              ? new long[] {before[0], before[1] + 1}
              : new long[] {random.nextInt(ROWS), random.nextInt(COLUMNS)};
    }
    return points;
  }

  private static void check(Dataset dataset, long[][] points) {
    int[] expected =
        Arrays.stream(points).mapToInt(at -> value((int) at[0], (int) at[1])).toArray();
    assertArrayEquals(
        expected,
        dataset.readInts(Selection.points(points)),
        () -> dataset.path() + " " + Arrays.deepToString(points));
  }

  @Test
  void bytes_between_the_members_of_a_repeated_element_keep_their_values() {
    Datatype memory = pair(12);
    try (H5File file = H5File.open(folder.resolve("virtual.h5"))) {
      MemorySegment target = MemorySegment.ofArray(pairs(1, 2, 3, 4, 5, 6, 7, 8, 9));
      file.dataset("pairs").read(Selection.points(1, new long[] {2, 0, 2}), memory, target);
      assertEquals(
          Arrays.toString(new int[] {30, 2, 31, 10, 5, 11, 30, 8, 31}),
          Arrays.toString(target.toArray(ValueLayout.JAVA_INT_UNALIGNED)));
    }
  }
}
