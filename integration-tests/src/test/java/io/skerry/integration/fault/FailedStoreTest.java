package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.cache.CacheOptions;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.file.FileView;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.fault.FileCall;
import io.skerry.testkit.fault.FileProbe;
import io.skerry.testkit.fault.ProbedCommunicator;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests stores of a single rank outside a flush while file calls fail. */
class FailedStoreTest {
  private static final int ROWS = 32;
  private static final int COLUMNS = 256;
  private static final int CHUNK = 4;

  @TempDir Path folder;

  /** Counts file calls, and fails all calls of one kind after a number of successful ones. */
  private static final class Device implements FileProbe {
    private final Map<FileCall, Integer> calls = new EnumMap<>(FileCall.class);
    private Optional<FileCall> failing = Optional.empty();
    private int after;

    /** Makes all calls of this kind fail, except the first {@code good}. */
    synchronized void fail(FileCall call, int good) {
      failing = Optional.of(call);
      after = good;
      calls.clear();
    }

    synchronized void mend() {
      failing = Optional.empty();
      calls.clear();
    }

    synchronized int calls(FileCall call) {
      return calls.getOrDefault(call, 0);
    }

    @Override
    public synchronized Optional<MpiException> before(
        int rank, FileCall call, FileView view, MemorySegment data) {
      int number = calls.merge(call, 1, Integer::sum);
      return failing.filter(call::equals).isPresent() && number > after
          ? Optional.of(FileProbe.noSpace(rank, call))
          : Optional.empty();
    }
  }

  private final Device device = new Device();

  private static DatasetSpec spec() {
    return DatasetSpec.of(Datatype.I32, Shape.of(ROWS, COLUMNS)).chunked(CHUNK, COLUMNS);
  }

  private static Selection rows(int from, int rows) {
    return Selection.at(from, 0).extent(rows, COLUMNS);
  }

  private H5File open(Path path, FileOptions options) {
    return H5File.openForWriting(
        path, new ProbedCommunicator(Communicator.self(), device), options);
  }

  private Path stored(DatasetSpec spec, int[] values) {
    Path path = folder.resolve("stored.h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset("/data", spec).write(Selection.all(), values);
    }
    return path;
  }

  @Test
  void an_eviction_that_cannot_read_the_chunk_index_takes_no_space() throws IOException {
    int[] values = new Random(1).ints(ROWS * COLUMNS).toArray();
    Path path = stored(spec().filters(Filters.deflate(1)), new int[ROWS * COLUMNS]);
    long before = Files.size(path);
    FileOptions options =
        FileOptions.standard().withCache(CacheOptions.standard().withFixedSize(1));
    try (H5File file = open(path, options)) {
      Dataset data = file.dataset("/data");
      device.fail(FileCall.READ_ALONE, 0);
      for (int i = 0; i < 200; i++) {
        data.write(rows(0, CHUNK), new Random(i).ints(CHUNK * COLUMNS).toArray());
      }
      assertTrue(device.calls(FileCall.READ_ALONE) > 100, "evictions have to read the index");
      device.mend();
      data.write(Selection.all(), values);
    }
    long grown = Files.size(path) - before;
    assertTrue(grown < 3L * 4 * values.length, () -> "bytes that the file has grown: " + grown);
    try (H5File file = H5File.open(path)) {
      assertArrayEquals(values, file.dataset("/data").readInts(Selection.all()));
    }
  }

  @Test
  void a_write_whose_whole_chunks_cannot_be_stored_changes_no_other_chunk() throws IOException {
    int[] values = new Random(2).ints(ROWS * COLUMNS).toArray();
    Path path = stored(spec().filters(Filters.deflate(1)), values);
    long before = Files.size(path);
    try (H5File file = open(path, FileOptions.standard().withAheadLimit(1))) {
      Dataset data = file.dataset("/data");
      int[] others = new Random(3).ints((ROWS - 1) * COLUMNS).toArray();
      for (int i = 0; i < 50; i++) {
        device.fail(FileCall.WRITE_ALONE, i % 4);
        assertThrows(CollectiveException.class, () -> data.write(rows(1, ROWS - 1), others));
        device.mend();
        assertArrayEquals(values, data.readInts(Selection.all()));
      }
      data.write(rows(1, ROWS - 1), others);
      System.arraycopy(others, 0, values, COLUMNS, others.length);
      assertArrayEquals(values, data.readInts(Selection.all()));
    }
    long grown = Files.size(path) - before;
    assertTrue(grown < 3L * 4 * values.length, () -> "bytes that the file has grown: " + grown);
    try (H5File file = H5File.open(path)) {
      assertArrayEquals(values, file.dataset("/data").readInts(Selection.all()));
    }
  }

  @Test
  void whole_chunks_are_unchanged_if_a_partial_chunk_cannot_be_loaded() throws IOException {
    int[] values = new Random(2).ints(ROWS * COLUMNS).toArray();
    Path path = stored(spec().filters(Filters.deflate(1)), values);
    long before = Files.size(path);
    try (H5File file = open(path, FileOptions.standard().withAheadLimit(1))) {
      Dataset data = file.dataset("/data");
      int[] others = new Random(3).ints((ROWS - 1) * COLUMNS).toArray();
      for (int i = 0; i < 50; i++) {
        // The first time, the read of the index succeeds and the read of the chunk fails.
        device.fail(FileCall.READ_ALONE, i == 0 ? 1 : 0);
        assertThrows(CollectiveException.class, () -> data.write(rows(1, ROWS - 1), others));
        device.mend();
      }
      assertArrayEquals(values, data.readInts(Selection.all()));
      data.write(rows(1, ROWS - 1), others);
      System.arraycopy(others, 0, values, COLUMNS, others.length);
    }
    long grown = Files.size(path) - before;
    assertTrue(grown < 3L * 4 * values.length, () -> "bytes that the file has grown: " + grown);
    try (H5File file = H5File.open(path)) {
      assertArrayEquals(values, file.dataset("/data").readInts(Selection.all()));
    }
  }

  @Test
  void the_part_that_a_failed_in_place_write_has_written_is_made_durable_by_the_next_flush() {
    Path path = stored(spec(), new int[ROWS * COLUMNS]);
    try (H5File file = open(path, FileOptions.standard())) {
      Dataset data = file.dataset("/data");
      device.fail(FileCall.WRITE_ALONE, 1);
      Selection parts = Selection.at(1, 7).extent(CHUNK, 9);
      assertThrows(CollectiveException.class, () -> data.write(parts, new int[CHUNK * 9]));
      assertEquals(2, device.calls(FileCall.WRITE_ALONE), "one that worked and one that failed");
      device.mend();
      file.flush();
      assertTrue(device.calls(FileCall.SYNC) > 0, "the flush has to sync the file");
    }
  }

  @Test
  void a_write_that_fails_in_place_changes_no_chunk_in_memory() {
    int[] values = new Random(5).ints(CHUNK * COLUMNS).toArray();
    int[] expected = new int[ROWS * COLUMNS];
    System.arraycopy(values, 0, expected, CHUNK * COLUMNS, values.length);
    Path path = folder.resolve("partly.h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset("/data", spec()).write(rows(CHUNK, CHUNK), values);
    }
    // The first chunk is not stored, so only the second one can be written in place.
    Selection both = Selection.at(CHUNK - 1, 7).extent(2, 9);
    int[] others = new Random(6).ints(2 * 9).toArray();
    try (H5File file = open(path, FileOptions.standard())) {
      Dataset data = file.dataset("/data");
      device.fail(FileCall.WRITE_ALONE, 0);
      assertThrows(CollectiveException.class, () -> data.write(both, others));
      assertEquals(1, device.calls(FileCall.WRITE_ALONE), "the second chunk is written in place");
      device.mend();
      assertArrayEquals(expected, data.readInts(Selection.all()));
    }
    try (H5File file = H5File.open(path)) {
      assertArrayEquals(expected, file.dataset("/data").readInts(Selection.all()));
    }
  }

  @Test
  void a_request_that_needs_the_memory_of_a_chunk_that_cannot_be_stored_fails_and_loses_nothing() {
    int[] values = new Random(4).ints(CHUNK * COLUMNS).toArray();
    Path path = stored(spec().filters(Filters.deflate(1)), new int[ROWS * COLUMNS]);
    CacheOptions oneChunk = CacheOptions.standard().withLimits(6000, 6000, 6000);
    try (H5File file = open(path, FileOptions.standard().withCache(oneChunk))) {
      file.createDataset("/other", spec().filters(Filters.deflate(1)))
          .write(Selection.all(), new int[ROWS * COLUMNS]);
      file.flush();
      Dataset data = file.dataset("/data");
      Dataset other = file.dataset("/other");
      data.write(rows(8, CHUNK), values);
      device.fail(FileCall.WRITE_ALONE, 0);
      CollectiveException refused =
          assertThrows(
              CollectiveException.class,
              () -> other.write(Selection.at(1, 1).extent(1, 1), new int[] {1}));
      for (String part : List.of("No space left on device", "dataset=/data", "chunk=[2, 0]")) {
        assertTrue(refused.getMessage().contains(part), refused.getMessage());
      }
      device.mend();
      other.write(Selection.at(1, 1).extent(1, 1), new int[] {1});
      file.flush();
    }
    try (H5File file = H5File.open(path)) {
      assertArrayEquals(values, file.dataset("/data").readInts(rows(8, CHUNK)));
      assertArrayEquals(
          new int[] {0, 1}, file.dataset("/other").readInts(Selection.at(1, 0).extent(1, 2)));
    }
  }

  /** Concurrent writes of the same dataset may load and change such a chunk. */
  @Test
  void an_edge_chunk_without_filters_is_not_written_in_place() {
    Path path =
        stored(
            DatasetSpec.of(Datatype.I32, Shape.of(ROWS, COLUMNS))
                .chunked(ROWS, COLUMNS - 8)
                .filters(Filters.deflate(1))
                .edges(DatasetSpec.Edges.UNFILTERED),
            new int[ROWS * COLUMNS]);
    try (H5File file = open(path, FileOptions.standard().withAheadLimit(1))) {
      Dataset data = file.dataset("/data");
      device.mend();
      data.write(Selection.at(0, COLUMNS - 4).extent(1, 2), new int[] {1, 2});
      assertEquals(0, device.calls(FileCall.WRITE_ALONE));
      assertArrayEquals(
          new int[] {0, 1, 2, 0}, data.readInts(Selection.at(0, COLUMNS - 5).extent(1, 4)));
    }
  }
}
