package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares random writes of virtual datasets with arrays in memory. {@code
 * -Dskerry.virtual.writes=N} sets the number of layouts and {@code -Dskerry.virtual.seed=N} the
 * first seed.
 */
class RandomVirtualWritesTest {
  private static final int LAYOUTS = Integer.getInteger("skerry.virtual.writes", 8);
  private static final int FIRST = Integer.getInteger("skerry.virtual.seed", 0);
  private static final int[] RANKS =
      Boolean.getBoolean("skerry.thorough") ? new int[] {1, 2, 4} : new int[] {1, 4};
  private static final int SOURCES = 3;
  private static final int SIZE = 200;
  private static final byte[] FILL = {-1, -1, -1, -1};

  @TempDir Path folder;

  /**
   * A virtual dataset and its expected elements.
   *
   * @param places the index into {@code sources} for each element; -1 for an unmapped element
   * @param shared true for each element that several mappings contain
   * @param sources the elements of all sources, {@code SIZE} per source
   */
  private record Model(Path path, Shape shape, int[] places, boolean[] shared, int[] sources) {
    /** Returns random elements of a rank that are mapped once; the first of them occurs twice. */
    List<Integer> part(Random random, int rank, int ranks) {
      List<Integer> part = new ArrayList<>();
      for (int i = 0; i < places.length; i++) {
        if (places[i] >= 0 && !shared[i] && random.nextInt(3) > 0 && i % ranks == rank) {
          part.add(i);
        }
      }
      if (!part.isEmpty()) {
        part.add(part.getFirst());
      }
      return part;
    }

    Selection points(List<Integer> part) {
      long columns = shape.extent(1);
      return Selection.points(
          part.stream().map(i -> new long[] {i / columns, i % columns}).toArray(long[][]::new));
    }

    int[] virtual() {
      return Arrays.stream(places).map(place -> place < 0 ? -1 : sources[place]).toArray();
    }
  }

  private Model make(Random random, int seed) {
    String name = "seed" + seed + "-" + random.nextInt();
    Shape shape = Shape.of(1 + random.nextInt(6), 1 + random.nextInt(6));
    int[] places = new int[(int) shape.elements()];
    Arrays.fill(places, -1);
    boolean[] shared = new boolean[places.length];
    int[] sources = new int[SOURCES * SIZE];
    Arrays.fill(sources, -1);
    VirtualLayout.Builder layout = VirtualLayout.builder();
    int[] used = new int[SOURCES];
    RandomSelections selections = new RandomSelections(random);
    for (int i = random.nextInt(5); i > 0; i--) {
      Selection virtual = selections.set(shape);
      int count = (int) virtual.count(shape);
      int source = random.nextInt(SOURCES);
      if (count == 0) {
        continue;
      }
      layout.map(
          virtual,
          VirtualSource.of(source == 0 ? "." : name + source + ".h5", "/s" + source)
              .select(Selection.at(used[source]).extent(count)));
      long[] at = virtual.toCoordinates(shape);
      for (int j = 0; j < count; j++) {
        int element = (int) (at[2 * j] * shape.extent(1) + at[2 * j + 1]);
        shared[element] = places[element] >= 0;
        places[element] = source * SIZE + used[source] + j;
      }
      used[source] += count;
    }
    DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(SIZE)).fillValue(FILL);
    for (int source = 1; source < SOURCES; source++) {
      try (H5File file = H5File.create(folder.resolve(name + source + ".h5"))) {
        Dataset unused =
            file.createDataset(
                "/s" + source, source == 1 ? spec : spec.sparse(1 + random.nextInt(9)));
      }
    }
    Path path = folder.resolve(name + ".h5");
    try (H5File file = H5File.create(path)) {
      Dataset unused = file.createDataset("/s0", random.nextBoolean() ? spec : spec.chunked(7));
      Dataset virtual =
          file.createDataset(
              "/v", DatasetSpec.of(Datatype.I32, shape).fillValue(FILL).virtual(layout.build()));
      assertArrayEquals(shape.extent(), virtual.shape().extent());
    }
    return new Model(path, shape, places, shared, sources);
  }

  @Test
  void written_values_are_those_of_the_arrays() {
    for (int seed = FIRST; seed < FIRST + LAYOUTS; seed++) {
      for (int ranks : RANKS) {
        Model model = make(new Random(seed), seed * 10 + ranks);
        for (int round = 0; round < 2; round++) {
          int base = 1000 * round;
          int number = 31 * seed + round;
          List<Boolean> unused = LocalRanks.call(ranks, world -> write(model, world, number, base));
          for (int rank = 0; rank < ranks; rank++) {
            List<Integer> part = model.part(new Random(number), rank, ranks);
            for (int i = 0; i < part.size(); i++) {
              model.sources[model.places[part.get(i)]] = base + i;
            }
          }
          check(model, "seed=" + seed + " ranks=" + ranks + " round=" + round);
        }
      }
    }
  }

  private static boolean write(Model model, Communicator world, int seed, int base) {
    List<Integer> part = model.part(new Random(seed), world.rank(), world.size());
    int[] values = new int[part.size()];
    Arrays.setAll(values, i -> base + i);
    try (H5File file = H5File.openForWriting(model.path, world)) {
      Dataset dataset = file.dataset("/v");
      dataset.write(model.points(part), values);
      for (int i = 0; i < model.places.length; i++) {
        if (model.places[i] < 0 || model.shared[i]) {
          Selection refused = model.points(List.of(i));
          assertThrows(
              CollectiveException.class, () -> dataset.write(refused, new int[] {-7}), "" + i);
        }
      }
    }
    return true;
  }

  private static void check(Model model, String what) {
    try (H5File file = H5File.open(model.path)) {
      assertArrayEquals(
          model.virtual(), file.dataset("/v").readInts(Selection.all()), what + " virtual");
      assertArrayEquals(
          Arrays.copyOf(model.sources, SIZE),
          file.dataset("/s0").readInts(Selection.all()),
          what + " source in the same file");
    }
    for (int source = 1; source < SOURCES; source++) {
      String name = String.valueOf(model.path.getFileName()).replace(".h5", source + ".h5");
      try (H5File file = H5File.open(model.path.resolveSibling(name))) {
        assertArrayEquals(
            Arrays.copyOfRange(model.sources, source * SIZE, (source + 1) * SIZE),
            file.dataset("/s" + source).readInts(Selection.all()),
            what + " source " + source);
      }
    }
  }
}
