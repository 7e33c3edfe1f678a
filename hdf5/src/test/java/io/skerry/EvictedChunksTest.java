package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.CacheOptions;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests chunks that the cache stores before the flush. */
class EvictedChunksTest {
  private static final int CHUNKS = 8;
  private static final int ROWS = 16;
  private static final int COLUMNS = 256;

  /** The number of writes; the images of a tenth of them exceed the expected size of the file. */
  private static final int WRITES = Boolean.getBoolean("skerry.thorough") ? 1000 : 400;

  @TempDir Path folder;

  @Test
  void a_chunk_evicted_repeatedly_before_the_flush_does_not_make_the_file_grow()
      throws IOException {
    Path path = folder.resolve("evicted.h5");
    FileOptions options =
        FileOptions.standard().withCache(CacheOptions.standard().withFixedSize(1));
    int[][] expected = new int[CHUNKS * ROWS][COLUMNS];
    Random random = new Random(1);
    try (H5File file = H5File.create(path, Communicator.self(), options)) {
      Dataset data =
          file.createDataset(
              "/data",
              DatasetSpec.of(Datatype.I32, Shape.of(CHUNKS * ROWS, COLUMNS))
                  .chunked(ROWS, COLUMNS)
                  .filters(Filters.deflate(1)));
      file.flush();
      for (int i = 0; i < WRITES; i++) {
        // Values of equal size and entropy, so that the lengths of the images differ little.
        int row = random.nextInt(CHUNKS * ROWS);
        expected[row] = random.ints(COLUMNS).toArray();
        data.write(Selection.at(row, 0).extent(1, COLUMNS), expected[row]);
      }
      assertTrue(file.cacheStatistics().stores() > 100, "the cache has to store chunks");
      long all = 4L * CHUNKS * ROWS * COLUMNS;
      long size = Files.size(path);
      assertTrue(size < 3 * all, () -> "bytes of the file: " + size + " of the values: " + all);
    }
    try (H5File file = H5File.open(path)) {
      Dataset data = file.dataset("/data");
      for (int row = 0; row < CHUNKS * ROWS; row++) {
        assertArrayEquals(expected[row], data.readInts(Selection.at(row, 0).extent(1, COLUMNS)));
      }
      assertEquals(CHUNKS, data.usage().chunks());
    }
  }
}
