package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests reads and writes of contiguous data with gaps between the selected elements: shorter and
 * longer than the gaps that are read and written together with the elements, in one element, row
 * and dataset.
 */
class StridedContiguousTest {
  private static final int ROWS = 24;
  private static final int COLUMNS = 5000;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"1, 17", "1, 18", "2, 19", "3, 20"})
  void strided_elements_are_written_and_read_and_no_others(int size, long seed) {
    Path path = folder.resolve("strided.h5");
    LocalRanks.run(
        size,
        ranks -> {
          Map<String, int[]> models = new TreeMap<>();
          try (H5File file = H5File.create(path, ranks)) {
            Random random = new Random(seed);
            for (Datatype type :
                new Datatype[] {Datatype.I32, Datatype.I32.withOrder(Endian.BIG), Datatype.I64}) {
              Dataset dataset =
                  file.createDataset(
                      "/" + type, DatasetSpec.of(type, Shape.of(ROWS, COLUMNS)).contiguous());
              int[] model = new int[ROWS * COLUMNS];
              for (int step = 0; step < 30; step++) {
                int[] indices = indices(random);
                int[] values = random.ints(indices.length).toArray();
                for (int i = 0; i < indices.length; i++) {
                  model[indices[i]] = values[i];
                }
                boolean writes = step % size == ranks.rank();
                dataset.write(
                    writes ? points(indices) : Selection.none(), writes ? values : new int[0]);
                int[] wanted = indices(random);
                int[] expected = IntStream.of(wanted).map(i -> model[i]).toArray();
                assertArrayEquals(expected, dataset.readInts(points(wanted)), type + " " + step);
              }
              models.put("/" + type, model);
            }
          }
          try (H5File file = H5File.open(path, ranks)) {
            models.forEach((name, model) ->
                assertArrayEquals(model, file.dataset(name).readInts(Selection.all()), name));
          }
        });
  }

  @Test
  void other_members_of_strided_compounds_keep_their_values() {
    Compound both =
        new Compound(
            8,
            List.of(
                new Compound.Member("a", 0, Datatype.I32),
                new Compound.Member("b", 4, Datatype.I32)));
    Compound second = new Compound(4, List.of(new Compound.Member("b", 0, Datatype.I32)));
    int[] model = IntStream.range(0, 2 * COLUMNS).toArray();
    try (H5File file = H5File.create(folder.resolve("compound.h5"))) {
      Dataset dataset =
          file.createDataset("/c", DatasetSpec.of(both, Shape.of(COLUMNS)).contiguous());
      dataset.write(Selection.all(), both, MemorySegment.ofArray(model));
      int[] written = IntStream.range(0, COLUMNS / 3).map(i -> -i - 1).toArray();
      for (int i = 0; i < written.length; i++) {
        model[6 * i + 1] = written[i];
      }
      dataset.write(
          Selection.at(0).stride(3).count(written.length), second, MemorySegment.ofArray(written));
      int[] read = new int[model.length];
      dataset.read(Selection.all(), both, MemorySegment.ofArray(read));
      assertArrayEquals(model, read);
    }
  }

  /**
   * Returns indices of elements, ascending or in any order and some of them twice, with gaps of one
   * length.
   */
  private static int[] indices(Random random) {
    int stride = 1 + random.nextInt(random.nextBoolean() ? 8 : 4000);
    int[] all =
        IntStream.iterate(random.nextInt(stride), i -> i < ROWS * COLUMNS, i -> i + stride)
            .filter(_ -> random.nextInt(8) > 0)
            .limit(10_000)
            .toArray();
    if (random.nextInt(3) == 0) {
      all = IntStream.concat(IntStream.of(all), IntStream.of(all).limit(50)).toArray();
      for (int i = all.length - 1; i > 0; i--) {
        int other = random.nextInt(i + 1);
        int kept = all[i];
        all[i] = all[other];
        all[other] = kept;
      }
    }
    return all;
  }

  private static Selection points(int[] indices) {
    long[][] points = new long[indices.length][];
    for (int i = 0; i < indices.length; i++) {
      points[i] = new long[] {indices[i] / COLUMNS, indices[i] % COLUMNS};
    }
    return indices.length == 0 ? Selection.none() : Selection.points(points);
  }
}
