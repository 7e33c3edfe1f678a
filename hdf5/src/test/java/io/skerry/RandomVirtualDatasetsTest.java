package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.PointList;
import io.skerry.selection.Selection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares random virtual datasets with arrays in memory. {@code -Dskerry.virtual.layouts=N} sets
 * the minimum number of layouts, of which each file has four or five, and {@code
 * -Dskerry.virtual.seed=N} the seed of the first file.
 */
class RandomVirtualDatasetsTest {
  private static final int FILES =
      Math.ceilDiv(
          Integer.getInteger("skerry.virtual.layouts", 20), RandomVirtualDatasets.DATASETS);
  private static final int FIRST = Integer.getInteger("skerry.virtual.seed", 0);
  private static final int[] RANKS =
      Boolean.getBoolean("skerry.thorough") ? new int[] {1, 2, 4} : new int[] {1, 4};
  private static final int SELECTIONS = 6;

  @TempDir Path folder;

  @Test
  void values_and_defined_elements_are_those_of_the_sources() throws IOException {
    for (int seed = FIRST; seed < FIRST + FILES; seed++) {
      Path own = Files.createDirectory(folder.resolve("seed" + seed));
      RandomVirtualDatasets made = new RandomVirtualDatasets(new Random(seed), own);
      for (int ranks : RANKS) {
        int round = seed;
        List<Boolean> unused = LocalRanks.call(ranks, world -> compare(made, world, round));
      }
      remove(own);
    }
  }

  private static void remove(Path own) throws IOException {
    try (Stream<Path> files = Files.list(own)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(own);
  }

  private static boolean compare(RandomVirtualDatasets made, Communicator world, int seed) {
    Random random = new Random(1000L * seed + world.rank());
    RandomSelections selections = new RandomSelections(random);
    try (H5File file = H5File.open(made.path(), world)) {
      made.datasets()
          .forEach((name, expected) -> {
            Dataset dataset = file.dataset(name);
            String what = "seed=" + seed + " ranks=" + world.size() + " dataset=" + name;
            assertEquals(expected.shape(), dataset.shape(), what);
            for (int i = 0; i < SELECTIONS; i++) {
              Selection selection = i == 0 ? Selection.all() : selections.any(dataset.shape());
              compare(made, dataset, expected, selection, what + " " + selection);
              compare(
                  made, dataset.independent(), expected, selection, what + " alone " + selection);
            }
          });
    }
    return true;
  }

  private static void compare(
      RandomVirtualDatasets made,
      Dataset dataset,
      ModeledArray expected,
      Selection selection,
      String what) {
    List<String> values =
        made.areTexts()
            ? dataset.readStrings(selection)
            : Arrays.stream(dataset.readInts(selection)).mapToObj(String::valueOf).toList();
    assertEquals(expected.read(selection), values, what);
    Selection defined = dataset.defined(selection);
    List<Integer> wanted = expected.defined(selection);
    assertEquals(wanted, expected.found(defined), what);
    assertEquals(
        selection instanceof PointList && !wanted.isEmpty(), defined instanceof PointList, what);
  }
}
