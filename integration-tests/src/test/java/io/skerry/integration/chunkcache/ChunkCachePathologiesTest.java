package io.skerry.integration.chunkcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.ChunkInfo;
import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.integration.chunkcache.NumberedMatrix.Layout;
import io.skerry.integration.chunkcache.NumberedMatrix.Way;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.testkit.fault.ProbedCommunicator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that access patterns which are slow with a chunk cache according to the guide "Chunking in
 * HDF5" read or write each chunk at most twice, without tuning. Counts the calls that reach the
 * file.
 */
class ChunkCachePathologiesTest {
  private static final int MOST = 2;
  private static final long KIB = 1 << 10;

  /** A cache for a small machine: 256 KiB at first, which may grow to 8 MiB. */
  private static final CacheOptions SMALL =
      CacheOptions.standard().withLimits(256 * KIB, 512 * KIB, 8192 * KIB);

  /** A cache that is always smaller than a chunk of {@link #LARGE}. */
  private static final CacheOptions TINY =
      CacheOptions.standard().withLimits(16 * KIB, 32 * KIB, 64 * KIB);

  /** A matrix whose rows intersect 100 chunks of 16 KiB each. */
  private static final NumberedMatrix WIDE = new NumberedMatrix(32, 64, 2, 100);

  /** A matrix of one column of three 256 KiB chunks. */
  private static final NumberedMatrix LARGE = new NumberedMatrix(64, 512, 3, 1);

  @TempDir Path folder;

  static Stream<Arguments> layouts_and_ways() {
    return Stream.of(Layout.values())
        .flatMap(layout -> Stream.of(Way.values()).map(way -> Arguments.of(layout, way)));
  }

  private Path path() {
    return folder.resolve("grid.h5");
  }

  private static Communicator counted(ChunkTraffic traffic) {
    return new ProbedCommunicator(Communicator.self(), traffic);
  }

  private static FileOptions with(CacheOptions cache) {
    return FileOptions.standard().withCache(cache);
  }

  private void create(NumberedMatrix grid, Layout layout) {
    try (H5File file = H5File.create(path())) {
      grid.write(file.createDataset("/grid", grid.spec(layout)), Way.ROWS);
    }
  }

  private void readsChunksAtMostTwice(
      NumberedMatrix grid, Layout layout, Way way, FileOptions options) {
    create(grid, layout);
    ChunkTraffic traffic = new ChunkTraffic(grid.chunkBytes());
    try (H5File file = H5File.open(path(), counted(traffic), options)) {
      Dataset dataset = file.dataset("/grid");
      grid.read(dataset, way);
      check(traffic.reads(places(dataset)), grid, "reads", file.cacheStatistics());
    }
  }

  /** Returns the chunks with their addresses in row-major order. */
  private static List<ChunkInfo> places(Dataset dataset) {
    List<ChunkInfo> places = new ArrayList<>();
    dataset.chunks().forEach(places::add);
    return places;
  }

  private void writesChunksAtMostTwice(
      NumberedMatrix grid, Layout layout, Way way, FileOptions options) {
    ChunkTraffic traffic = new ChunkTraffic(grid.chunkBytes());
    H5File file = H5File.create(path(), counted(traffic), options);
    try (file) {
      grid.write(file.createDataset("/grid", grid.spec(layout)), way);
    }
    checkWritten(traffic, List.of(), grid, layout, file.cacheStatistics());
    try (H5File again = H5File.open(path())) {
      grid.read(again.dataset("/grid"), way);
    }
  }

  private void checkWritten(
      ChunkTraffic traffic,
      List<ChunkInfo> before,
      NumberedMatrix grid,
      Layout layout,
      CacheStatistics told) {
    switch (layout) {
      case FILTERED, UNFILTERED -> {
        List<Integer> writes = new ArrayList<>(traffic.writes(grid.firstValues()));
        List<Integer> parts = traffic.partWrites(before);
        for (int i = 0; i < parts.size(); i++) {
          writes.set(i, writes.get(i) + parts.get(i));
        }
        check(writes, grid, "writes", told);
      }
      case SPARSE -> assertTrue(told.stores() <= (long) MOST * grid.chunks(), told.toString());
    }
    long bytes;
    try (H5File file = H5File.open(path())) {
      bytes = file.dataset("/grid").chunks().storedBytes();
    }
    long metadata = 64 * KIB;
    assertTrue(
        traffic.writtenBytes() <= MOST * bytes + metadata,
        "written=" + traffic.writtenBytes() + " stored=" + bytes + " " + told);
  }

  private static void check(
      List<Integer> counts, NumberedMatrix grid, String what, CacheStatistics told) {
    assertEquals(grid.chunks(), counts.size(), what);
    assertTrue(Collections.min(counts) >= 1, () -> "not all " + what + " were seen: " + counts);
    assertTrue(Collections.max(counts) <= MOST, () -> what + "=" + counts + " " + told);
  }

  @ParameterizedTest
  @MethodSource("layouts_and_ways")
  void rows_across_a_hundred_columns_of_chunks_are_read(Layout layout, Way way) {
    readsChunksAtMostTwice(WIDE, layout, way, with(SMALL));
  }

  @ParameterizedTest
  @MethodSource("layouts_and_ways")
  void rows_across_a_hundred_columns_of_chunks_are_written(Layout layout, Way way) {
    writesChunksAtMostTwice(WIDE, layout, way, with(SMALL));
  }

  @ParameterizedTest
  @MethodSource("layouts_and_ways")
  void rows_across_a_hundred_columns_of_chunks_are_overwritten(Layout layout, Way way) {
    overwritesChunksAtMostTwice(WIDE, layout, way, with(SMALL));
  }

  private void overwritesChunksAtMostTwice(
      NumberedMatrix grid, Layout layout, Way way, FileOptions options) {
    changesChunksAtMostTwice(grid, layout, options, dataset -> grid.write(dataset, way));
  }

  private void changesChunksAtMostTwice(
      NumberedMatrix grid, Layout layout, FileOptions options, Consumer<Dataset> change) {
    create(grid, layout);
    ChunkTraffic traffic = new ChunkTraffic(grid.chunkBytes());
    H5File file = H5File.openForWriting(path(), counted(traffic), options);
    List<ChunkInfo> before;
    try (file) {
      Dataset dataset = file.dataset("/grid");
      before = places(dataset);
      change.accept(dataset);
    }
    List<Integer> reads = traffic.reads(before);
    assertTrue(Collections.max(reads) <= MOST, () -> "reads=" + reads);
    checkWritten(traffic, before, grid, layout, file.cacheStatistics());
  }

  @ParameterizedTest
  @EnumSource
  void rows_across_a_hundred_columns_of_chunks_are_read_and_written_in_turn(Layout layout) {
    changesChunksAtMostTwice(
        WIDE,
        layout,
        with(SMALL),
        dataset -> {
          for (int row = 0; row < WIDE.rows(); row++) {
            WIDE.readRow(dataset, row, Way.ELEMENTS);
            WIDE.writeRow(dataset, row, Way.ELEMENTS);
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_matrix_of_a_hundred_columns_of_chunks_grows_row_by_row(Layout layout) {
    ChunkTraffic traffic = new ChunkTraffic(WIDE.chunkBytes());
    H5File file = H5File.create(path(), counted(traffic), with(SMALL));
    try (file) {
      Dataset dataset = file.createDataset("/grid", WIDE.growing(layout));
      for (int row = 0; row < WIDE.rows(); row++) {
        dataset.extendTo(row + 1, WIDE.columns());
        WIDE.writeRow(dataset, row, Way.ROWS);
      }
    }
    checkWritten(traffic, List.of(), WIDE, layout, file.cacheStatistics());
  }

  @ParameterizedTest
  @MethodSource("layouts_and_ways")
  void data_larger_than_the_cache_are_read_once(Layout layout, Way way) {
    NumberedMatrix grid = new NumberedMatrix(8, 512, 60, 1);
    CacheOptions fixed = CacheOptions.standard().withFixedSize(12 * grid.chunkBytes());
    readsChunksAtMostTwice(grid, layout, way, with(fixed));
  }

  @ParameterizedTest
  @MethodSource("layouts_and_ways")
  void a_chunk_larger_than_the_cache_is_read(Layout layout, Way way) {
    readsChunksAtMostTwice(LARGE, layout, way, with(TINY));
  }

  @ParameterizedTest
  @MethodSource("layouts_and_ways")
  void a_chunk_larger_than_the_cache_is_written(Layout layout, Way way) {
    writesChunksAtMostTwice(LARGE, layout, way, with(TINY));
  }

  @ParameterizedTest
  @MethodSource("layouts_and_ways")
  void a_chunk_larger_than_the_cache_is_overwritten(Layout layout, Way way) {
    overwritesChunksAtMostTwice(LARGE, layout, way, with(TINY));
  }

  @Test
  void a_filtered_dataset_is_written_and_read_in_rows_with_standard_options() {
    NumberedMatrix grid = new NumberedMatrix(32, 4096, 2, 100);
    writesChunksAtMostTwice(grid, Layout.FILTERED, Way.ROWS, FileOptions.standard());
  }

  @Test
  void a_chunk_above_the_initial_limit_of_the_standard_cache_is_written_and_read_in_rows() {
    NumberedMatrix grid = new NumberedMatrix(160, 1 << 16, 2, 1);
    assertTrue(grid.chunkBytes() > CacheOptions.standard().quiescent());
    writesChunksAtMostTwice(grid, Layout.FILTERED, Way.ROWS, FileOptions.standard());
    readsChunksAtMostTwice(grid, Layout.FILTERED, Way.ROWS, FileOptions.standard());
  }

  @ParameterizedTest
  @EnumSource
  void two_hundred_datasets_share_little_memory(Layout layout) {
    NumberedMatrix grid = new NumberedMatrix(32, 64, 3, 1);
    int datasets = 200;
    ChunkTraffic traffic = new ChunkTraffic(grid.chunkBytes());
    H5File created = H5File.create(path(), counted(traffic), with(SMALL));
    try (created) {
      List<Dataset> all = new ArrayList<>();
      for (int i = 0; i < datasets; i++) {
        all.add(created.createDataset("/d" + i, grid.spec(layout)));
      }
      inTurns(all, grid, created, (dataset, row) -> grid.writeRow(dataset, row, Way.ROWS));
    }
    long stores = created.cacheStatistics().stores();
    assertTrue(stores <= (long) MOST * datasets * grid.chunks(), "stores=" + stores);
    try (H5File file = H5File.open(path(), counted(traffic), with(SMALL))) {
      List<Dataset> all = new ArrayList<>();
      for (int i = 0; i < datasets; i++) {
        all.add(file.dataset("/d" + i));
      }
      traffic.clear();
      inTurns(all, grid, file, (dataset, row) -> grid.readRow(dataset, row, Way.ROWS));
      for (Dataset dataset : all) {
        check(traffic.reads(places(dataset)), grid, "reads", file.cacheStatistics());
      }
    }
  }

  private interface Turn {
    void take(Dataset dataset, int row);
  }

  /** Accesses row 0 of all datasets, then row 1 of all datasets, and so on. */
  private static void inTurns(List<Dataset> all, NumberedMatrix grid, H5File file, Turn turn) {
    for (int row = 0; row < grid.rows(); row++) {
      for (Dataset dataset : all) {
        turn.take(dataset, row);
      }
      CacheStatistics told = file.cacheStatistics();
      // Images encoded in advance may exceed the quiescent limit between two requests.
      assertTrue(told.bytes() <= told.active(), told.toString());
      assertTrue(told.quiescent() <= SMALL.most(), told.toString());
    }
  }

  /**
   * In a hash table of 100 slots, or of any number of slots that divides the distance between two
   * chunks, the chunks of a column would evict each other.
   */
  @Test
  void chunks_whose_numbers_lie_a_hundred_or_a_power_of_two_apart_do_not_collide() {
    for (int across : new int[] {100, 128, 1009, 1024}) {
      NumberedMatrix grid = new NumberedMatrix(2, 2, 256, across);
      try (H5File file = H5File.create(path())) {
        file.createDataset("/grid", grid.spec(Layout.FILTERED))
            .write(Selection.at(0, 0).extent(grid.rows(), 1), new long[grid.rows()]);
      }
      try (H5File file = H5File.open(path(), Communicator.self(), with(SMALL.withPrefetch(0)))) {
        Dataset dataset = file.dataset("/grid");
        for (int time = 0; time < 3; time++) {
          for (int row = 0; row < grid.rows(); row += grid.chunkRows()) {
            long[] unused = dataset.readLongs(Selection.at(row, 0).extent(1, 1));
          }
        }
        CacheStatistics told = file.cacheStatistics();
        assertEquals(grid.down(), told.loads(), told.toString());
        assertEquals(2L * grid.down(), told.hits(), told.toString());
        assertEquals(0, told.evictions(), told.toString());
      }
    }
  }
}
