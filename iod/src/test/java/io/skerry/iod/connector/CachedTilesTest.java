package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.Transactions;
import io.skerry.cache.CacheOptions;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.iod.engine.InMemory;
import io.skerry.parallel.FileAccess;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads of decoded tiles that are kept, beside writes and in older versions. */
class CachedTilesTest {
  private static final int STEPS = 300;
  private static final int SIDE = 40;
  private static final int TILE = 8;

  @TempDir(factory = InMemory.class)
  Path folder;

  private static DatasetSpec spec(int extent) {
    return DatasetSpec.of(Datatype.I32, Shape.of(new long[] {extent}, new long[] {Shape.UNLIMITED}))
        .filters(Filters.shuffle(), Filters.deflate(1))
        .sparse(TILE);
  }

  private static int[] values(NavigableMap<Long, Integer> model) {
    return model.values().stream().mapToInt(Integer::intValue).toArray();
  }

  private static void check(
      NavigableMap<Long, Integer> model, Dataset dataset, long from, long to) {
    NavigableMap<Long, Integer> expected = model.subMap(from, true, to, false);
    Selection range = Selection.at(from).extent(to - from);
    Selection defined = dataset.defined(range);
    assertEquals(expected.size(), defined.count(dataset.shape()));
    assertArrayEquals(values(expected), dataset.readInts(defined));
    int[] all = dataset.readInts(range);
    for (long at = from; at < to; at++) {
      assertEquals(expected.getOrDefault(at, 0), all[(int) (at - from)], "element " + at);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void reads_beside_writes_agree_with_a_model(long seed) {
    var random = new SplittableRandom(seed);
    var fixture = new ContainerFixture(folder.resolve("run"), 1);
    NavigableMap<Long, Integer> model = new TreeMap<>();
    NavigableMap<Long, NavigableMap<Long, Integer>> versions = new TreeMap<>();
    try (H5File file = fixture.open(FileAccess.CREATE)) {
      Dataset dataset = file.createDataset("d", spec(SIDE));
      for (int step = 0; step < STEPS; step++) {
        long extent = dataset.shape().extent(0);
        long from = random.nextLong(extent);
        long to = random.nextLong(from, extent) + 1;
        switch (random.nextInt(12)) {
          case 0, 1 -> {
            int[] written = random.ints(to - from).toArray();
            dataset.write(Selection.at(from).extent(to - from), written);
            for (long at = from; at < to; at++) {
              model.put(at, written[(int) (at - from)]);
            }
          }
          case 2 -> {
            dataset.erase(Selection.at(from).extent(to - from));
            model.subMap(from, true, to, false).clear();
          }
          case 3 -> {
            long after = random.nextInt(SIDE / 2, 2 * SIDE);
            dataset.extendTo(after);
            model.tailMap(after, true).clear();
          }
          case 4, 5 -> {
            file.flush();
            versions.clear();
            versions.put(file.transactions().readable(), new TreeMap<>(model));
          }
          case 6 ->
              file.resizeCache(CacheOptions.standard().withFixedSize(random.nextInt(3) * 700L));
          case 7 -> checkVersion(file, versions);
          default -> check(model, dataset, from, to);
        }
      }
      check(model, dataset, 0, dataset.shape().extent(0));
    }
    try (H5File file = fixture.open(FileAccess.READ)) {
      Dataset dataset = file.dataset("d");
      check(model, dataset, 0, dataset.shape().extent(0));
      check(model, dataset, 0, dataset.shape().extent(0));
      assertTrue(file.cacheStatistics().hits() > 0 || model.isEmpty());
    }
  }

  private static void checkVersion(
      H5File file, NavigableMap<Long, NavigableMap<Long, Integer>> versions) {
    if (!versions.isEmpty()) {
      try (H5File old = file.openVersion(Transactions.Version.exact(versions.lastKey()))) {
        Dataset dataset = old.dataset("d");
        check(versions.lastEntry().getValue(), dataset, 0, dataset.shape().extent(0));
        check(versions.lastEntry().getValue(), dataset, 0, dataset.shape().extent(0));
      }
    }
  }

  @Test
  void a_tile_that_is_read_again_is_decoded_once() {
    var fixture = new ContainerFixture(folder.resolve("run"), 1);
    try (H5File file = fixture.open(FileAccess.CREATE)) {
      Dataset dataset = file.createDataset("d", spec(SIDE));
      dataset.write(Selection.at(3).extent(2), new int[] {5, 6});
      file.flush();
      Selection defined = dataset.defined(Selection.all());
      for (int i = 0; i < 4; i++) {
        assertArrayEquals(new int[] {5, 6}, dataset.readInts(defined));
      }
      assertEquals(1, file.cacheStatistics().loads());
      assertEquals(4, file.cacheStatistics().hits());
      file.resizeCache(CacheOptions.standard().withFixedSize(0));
      assertEquals(0, file.cacheStatistics().bytes());
      assertArrayEquals(new int[] {5, 6}, dataset.readInts(defined));
    }
  }

  @Test
  void tiles_of_the_open_transaction_are_not_kept() {
    var fixture = new ContainerFixture(folder.resolve("run"), 1);
    try (H5File file = fixture.open(FileAccess.CREATE)) {
      Dataset dataset = file.createDataset("d", spec(SIDE));
      for (int value = 1; value < 5; value++) {
        dataset.write(Selection.at(3).extent(1), new int[] {value});
        assertArrayEquals(new int[] {value}, dataset.readInts(Selection.at(3).extent(1)));
      }
      assertEquals(0, file.cacheStatistics().loads());
    }
  }
}
