package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.CacheStatistics;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests small blocks of cached chunks, which are read without a ticket of the request order. */
class SmallBlocksTest {
  private static final byte FILL = -7;

  @TempDir Path folder;

  private static List<DatasetSpec> specs(DatasetSpec spec, long... chunk) {
    DatasetSpec filled = spec.fillValue(FILL, (byte) -1, (byte) -1, (byte) -1);
    return List.of(
        filled.chunked(chunk),
        filled.chunked(chunk).filters(Filters.shuffle(), Filters.deflate(1)),
        filled.sparse(chunk));
  }

  @Test
  void random_blocks_are_read_as_written_across_any_chunk_edges() {
    try (H5File file = H5File.create(folder.resolve("blocks.h5"))) {
      long[][] chunks = {{6}, {4, 5}, {3, 1, 4}, {2, 3, 2, 4}};
      for (long[] chunk : chunks) {
        long[] extent = Arrays.stream(chunk).map(size -> 3 * size + 1).toArray();
        List<DatasetSpec> specs = specs(DatasetSpec.of(Datatype.I32, Shape.of(extent)), chunk);
        for (int i = 0; i < specs.size(); i++) {
          String name = "rank" + chunk.length + "-" + i;
          check(file.createDataset(name, specs.get(i)), extent, chunk.length * 100L + i);
        }
      }
    }
  }

  /** Mixes writes and reads, so that cached versions of a chunk are in turn whole and paged. */
  private static void check(Dataset dataset, long[] extent, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] model = new int[(int) Shape.of(extent).elements()];
    Arrays.fill(model, FILL);
    for (int round = 0; round < 400; round++) {
      long[] start = new long[extent.length];
      long[] size = new long[extent.length];
      for (int d = 0; d < extent.length; d++) {
        start[d] = random.nextLong(extent[d]);
        size[d] = 1 + random.nextLong(Math.min(5, extent[d] - start[d]));
      }
      Selection block = Selection.box(start, size);
      int[] places = places(extent, start, size);
      if (round % 5 == 0) {
        int[] values = random.ints(places.length).toArray();
        dataset.write(block, values);
        for (int i = 0; i < places.length; i++) {
          model[places[i]] = values[i];
        }
      } else {
        int[] expected = Arrays.stream(places).map(place -> model[place]).toArray();
        assertArrayEquals(expected, dataset.readInts(block), () -> seed + ": " + block);
      }
    }
  }

  /** Returns the row-major indices of the elements of a box. */
  private static int[] places(long[] extent, long[] start, long[] size) {
    int[] places = new int[(int) Shape.of(size).elements()];
    for (int i = 0; i < places.length; i++) {
      long rest = i;
      long place = 0;
      long step = 1;
      for (int d = size.length - 1; d >= 0; d--) {
        place += (start[d] + rest % size[d]) * step;
        step *= extent[d];
        rest /= size[d];
      }
      places[i] = (int) place;
    }
    return places;
  }

  @Test
  void a_block_at_the_corner_of_four_cached_chunks_counts_four_hits() {
    try (H5File file = H5File.create(folder.resolve("corner.h5"))) {
      Dataset dataset =
          file.createDataset("d", DatasetSpec.of(Datatype.I32, Shape.of(8, 8)).chunked(4, 4));
      dataset.write(Selection.all(), new int[64]);
      Selection corner = Selection.at(3, 3).extent(2, 2);
      assertEquals(4, dataset.readInts(corner).length);
      CacheStatistics before = file.cacheStatistics();
      assertEquals(4, dataset.readInts(corner).length);
      CacheStatistics after = file.cacheStatistics();
      assertEquals(4, after.hits() - before.hits());
      assertEquals(before.loads(), after.loads());
    }
  }

  @Test
  void a_block_beyond_a_reduced_extent_is_refused_even_if_its_chunks_are_cached() {
    try (H5File file = H5File.create(folder.resolve("shrunk.h5"))) {
      DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(8, 8)).chunked(4, 4);
      Dataset dataset = file.createDataset("d", spec);
      dataset.write(Selection.all(), new int[64]);
      Selection corner = Selection.at(3, 3).extent(2, 2);
      assertEquals(4, dataset.readInts(corner).length);
      dataset.extendTo(8, 4);
      CollectiveException refused =
          assertThrows(CollectiveException.class, () -> dataset.readInts(corner));
      assertTrue(refused.getMessage().contains("extent"), refused::getMessage);
    }
  }
}
