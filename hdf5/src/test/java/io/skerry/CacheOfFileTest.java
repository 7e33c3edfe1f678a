package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.cache.EvictionPolicy;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the interface of the chunk cache of a file. */
class CacheOfFileTest {
  private static final int ROWS = 64;
  private static final int CHUNK_ROWS = 8;
  private static final int CHUNKS = ROWS / CHUNK_ROWS;
  private static final int COLUMNS = 512;
  private static final long CHUNK_BYTES = 8L * CHUNK_ROWS * COLUMNS;

  @TempDir Path folder;
  private Path path;

  @BeforeEach
  void write() {
    path = folder.resolve("rows.h5");
    try (H5File file = H5File.create(path)) {
      DatasetSpec spec =
          DatasetSpec.of(Datatype.I64, Shape.of(ROWS, COLUMNS))
              .chunked(CHUNK_ROWS, COLUMNS)
              .filters(Filters.deflate(1));
      long[] values = new long[ROWS * COLUMNS];
      Arrays.setAll(values, i -> i);
      file.createDataset("/rows", spec).write(Selection.at(0, 0).extent(ROWS, COLUMNS), values);
    }
  }

  private H5File open(CacheOptions cache) {
    return H5File.open(path, Communicator.self(), FileOptions.standard().withCache(cache));
  }

  private static void readRow(Dataset rows, int row) {
    long[] read = rows.readLongs(Selection.at(row, 0).extent(1, COLUMNS));
    long[] expected = new long[COLUMNS];
    Arrays.setAll(expected, i -> (long) row * COLUMNS + i);
    assertArrayEquals(expected, read, "row=" + row);
  }

  @Test
  void statistics_contain_hits_loads_and_cached_bytes() {
    try (H5File file = open(CacheOptions.standard().withPrefetch(0))) {
      Dataset rows = file.dataset("/rows");
      assertEquals(0, file.cacheStatistics().loads());
      for (int row = 0; row < ROWS; row++) {
        readRow(rows, row);
      }
      CacheStatistics told = file.cacheStatistics();
      assertEquals(CHUNKS, told.loads());
      assertEquals(CHUNKS, told.misses());
      assertEquals(ROWS - CHUNKS, told.hits());
      assertEquals((double) (ROWS - CHUNKS) / ROWS, told.hitRatio());
      assertEquals(CHUNKS, told.chunks());
      assertTrue(told.bytes() >= CHUNKS * CHUNK_BYTES, told.toString());
      assertEquals(0, told.evictions());
      assertEquals(0, told.unstoredBytes());
    }
  }

  @Test
  void statistics_are_readable_after_the_file_is_closed() {
    H5File file = H5File.openForWriting(path, Communicator.self());
    try (file) {
      file.dataset("/rows").write(Selection.at(0, 0).extent(1, 1), new long[] {-1});
      assertEquals(0, file.cacheStatistics().stores());
    }
    CacheStatistics told = file.cacheStatistics();
    assertEquals(1, told.encodes());
    assertEquals(1, told.stores());
    assertEquals(0, told.unstoredBytes());
  }

  @Test
  void a_file_uses_the_options_of_its_opening() {
    CacheOptions options =
        CacheOptions.standard().withFixedSize(3 * CHUNK_BYTES).withPolicy(EvictionPolicy.LRU);
    try (H5File file = open(options)) {
      assertEquals(options, file.cacheOptions());
      Dataset rows = file.dataset("/rows");
      for (int row = 0; row < ROWS; row += CHUNK_ROWS) {
        readRow(rows, row);
      }
      assertEquals(3 * CHUNK_BYTES, file.cacheStatistics().quiescent());
      assertEquals(2, file.cacheStatistics().chunks(), "the third has no room for its header");
    }
  }

  @Test
  void a_lower_limit_evicts_immediately_and_written_values_remain_readable() {
    try (H5File file =
        H5File.openForWriting(
            path,
            Communicator.self(),
            FileOptions.standard().withCache(CacheOptions.standard().withPrefetch(0)))) {
      Dataset rows = file.dataset("/rows");
      for (int row = 0; row < ROWS; row += CHUNK_ROWS) {
        rows.write(Selection.at(row, 0).extent(1, 1), new long[] {-row});
      }
      assertEquals(CHUNKS, file.cacheStatistics().chunks());
      file.resizeCache(file.cacheOptions().withFixedSize(0));
      CacheStatistics told = file.cacheStatistics();
      assertEquals(0, told.chunks(), told.toString());
      assertEquals(0, told.bytes(), told.toString());
      assertEquals(CHUNKS, told.stores());
      for (int row = 0; row < ROWS; row += CHUNK_ROWS) {
        long[] read = rows.readLongs(Selection.at(row, 0).extent(1, 2));
        assertArrayEquals(new long[] {-row, (long) row * COLUMNS + 1}, read);
      }
    }
    try (H5File file = open(CacheOptions.standard())) {
      long[] read = file.dataset("/rows").readLongs(Selection.at(CHUNK_ROWS, 0).extent(1, 2));
      assertArrayEquals(new long[] {-CHUNK_ROWS, (long) CHUNK_ROWS * COLUMNS + 1}, read);
    }
  }

  @Test
  void a_higher_limit_keeps_chunks_that_a_lower_one_evicted() {
    try (H5File file = open(CacheOptions.standard().withFixedSize(CHUNK_BYTES).withPrefetch(0))) {
      Dataset rows = file.dataset("/rows");
      readRow(rows, 0);
      readRow(rows, CHUNK_ROWS);
      readRow(rows, 0);
      assertEquals(3, file.cacheStatistics().loads());
      file.resizeCache(file.cacheOptions().withFixedSize(2 * CHUNKS * CHUNK_BYTES));
      for (int time = 0; time < 3; time++) {
        for (int row = 0; row < ROWS; row += CHUNK_ROWS) {
          readRow(rows, row);
        }
      }
      assertTrue(file.cacheStatistics().loads() <= 3 + CHUNKS, file.cacheStatistics().toString());
    }
  }

  @Test
  void limits_change_while_other_threads_read() throws Exception {
    long seed = 20260727;
    try (H5File file = open(CacheOptions.standard());
        ExecutorService threads = Executors.newFixedThreadPool(3)) {
      Dataset rows = file.dataset("/rows");
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (int thread = 0; thread < 2; thread++) {
        Random random = new Random(seed + thread);
        tasks.add(() -> {
          for (int i = 0; i < 300; i++) {
            readRow(rows, random.nextInt(ROWS));
          }
          return true;
        });
      }
      Random random = new Random(seed - 1);
      tasks.add(() -> {
        for (int i = 0; i < 100; i++) {
          long bytes = random.nextLong(2 * CHUNKS * CHUNK_BYTES);
          file.resizeCache(file.cacheOptions().withFixedSize(bytes));
          assertEquals(bytes, file.cacheStatistics().quiescent());
        }
        return true;
      });
      for (Future<Boolean> ended : threads.invokeAll(tasks)) {
        assertTrue(ended.get(), "seed=" + seed);
      }
      file.resizeCache(file.cacheOptions().withFixedSize(0));
      assertEquals(0, file.cacheStatistics().bytes());
    }
  }

  @Test
  void a_change_of_the_eviction_policy_of_an_open_file_is_refused() {
    try (H5File file = open(CacheOptions.standard().withPolicy(EvictionPolicy.LRU))) {
      CacheOptions other = file.cacheOptions().withPolicy(EvictionPolicy.MRU).withFixedSize(0);
      assertThrows(IllegalArgumentException.class, () -> file.resizeCache(other));
      assertEquals(CacheOptions.standard().quiescent(), file.cacheStatistics().quiescent());
    }
  }

  @Test
  void resizing_the_cache_of_a_closed_file_is_refused() {
    H5File file = open(CacheOptions.standard());
    file.close();
    assertThrows(IllegalStateException.class, () -> file.resizeCache(CacheOptions.standard()));
  }
}
