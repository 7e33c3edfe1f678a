package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.CacheOptions;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.FileOptions.Overwriting;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the file of a killed writer that evicted chunks of fixed size before the flush. */
class KilledAfterEvictionTest {
  private static final int CHUNK = 8;
  private static final int EXTENT = 5 * CHUNK;

  @TempDir Path folder;

  private Path path() {
    return folder.resolve("killed.h5");
  }

  /** Returns options with which the cache keeps at most one chunk between requests. */
  private static FileOptions tiny(Overwriting overwriting) {
    return FileOptions.standard()
        .withOverwriting(overwriting)
        .withCache(CacheOptions.standard().withFixedSize(1).withPrefetch(0));
  }

  /** Flushes a first state, changes it without a flush, and returns a copy of the file. */
  private Path killed(
      DatasetSpec spec,
      Overwriting overwriting,
      Consumer<Dataset> first,
      Consumer<Dataset> change) {
    Path copy = folder.resolve("copy.h5");
    try (H5File file = H5File.create(path(), Communicator.self(), tiny(overwriting))) {
      Dataset data = file.createDataset("/data", spec);
      first.accept(data);
      file.flush();
      long before = file.cacheStatistics().stores();
      change.accept(data);
      assertTrue(file.cacheStatistics().stores() > before, "the cache has to store chunks");
      Files.copy(path(), copy);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return copy;
  }

  private static DatasetSpec numbers() {
    return DatasetSpec.of(Datatype.I32, Shape.of(EXTENT).unlimited(0)).chunked(CHUNK);
  }

  private static int[] filled(int count, int value) {
    int[] values = new int[count];
    Arrays.fill(values, value);
    return values;
  }

  /** Reads a part of each chunk before it writes the chunk, so that the chunk is in memory. */
  private static void changePiecewise(Dataset data, int value) {
    for (int at = 0; at < EXTENT; at += CHUNK) {
      int[] unused = data.readInts(Selection.at(at).extent(2));
      data.write(Selection.at(at).extent(4), filled(4, value));
    }
  }

  @ParameterizedTest
  @EnumSource
  void evicted_chunks_change_the_file_before_the_flush_only_if_allowed(Overwriting overwriting) {
    Path copy =
        killed(
            numbers(),
            overwriting,
            data -> data.write(Selection.all(), filled(EXTENT, 1)),
            data -> changePiecewise(data, 2));
    try (H5File file = H5File.open(copy)) {
      int[] read = file.dataset("/data").readInts(Selection.all());
      switch (overwriting) {
        case BY_FLUSH -> assertArrayEquals(filled(EXTENT, 1), read);
        // Each element has either the flushed value or the unflushed one.
        case IN_PLACE ->
            assertTrue(Arrays.stream(read).allMatch(value -> value == 1 || value == 2));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void elements_removed_without_a_flush_are_still_stored(Overwriting overwriting) {
    Path copy =
        killed(
            numbers(),
            overwriting,
            data -> data.write(Selection.all(), filled(EXTENT, 1)),
            data -> {
              data.extendTo(EXTENT - CHUNK / 2);
              for (int at = 0; at < EXTENT - CHUNK; at += CHUNK) {
                int[] unused = data.readInts(Selection.at(at).extent(2));
              }
            });
    try (H5File file = H5File.open(copy)) {
      assertArrayEquals(filled(EXTENT, 1), file.dataset("/data").readInts(Selection.all()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void elements_written_beyond_the_flushed_extent_do_not_reappear(Overwriting overwriting)
      throws IOException {
    Path copy = folder.resolve("copy.h5");
    try (H5File file = H5File.create(path(), Communicator.self(), tiny(overwriting))) {
      Dataset data =
          file.createDataset(
              "/data", DatasetSpec.of(Datatype.I32, Shape.of(4).unlimited(0)).chunked(CHUNK));
      data.write(Selection.all(), filled(4, 1));
      file.flush();
      data.extendTo(CHUNK);
      data.write(Selection.at(4).extent(4), filled(4, 2));
      Files.copy(path(), copy);
    }
    try (H5File file = H5File.openForWriting(copy, Communicator.self())) {
      Dataset data = file.dataset("/data");
      data.extendTo(CHUNK);
      assertArrayEquals(new int[] {1, 1, 1, 1, 0, 0, 0, 0}, data.readInts(Selection.all()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void texts_are_those_of_the_last_flush(Overwriting overwriting) {
    DatasetSpec texts =
        DatasetSpec.of(VariableLength.string(CharacterSet.UTF8), Shape.of(EXTENT)).chunked(CHUNK);
    String[] old = new String[EXTENT];
    Arrays.fill(old, "old");
    Path copy =
        killed(
            texts,
            overwriting,
            data -> data.write(Selection.all(), old),
            data -> {
              for (int at = 0; at < EXTENT; at += CHUNK) {
                List<String> unused = data.readStrings(Selection.at(at).extent(2));
                data.write(Selection.at(at).extent(2), new String[] {"a newer one", "another"});
              }
            });
    try (H5File file = H5File.open(copy)) {
      assertEquals(
          Collections.nCopies(EXTENT, "old"), file.dataset("/data").readStrings(Selection.all()));
    }
  }

  @Test
  void chunks_overwritten_in_place_do_not_make_the_file_grow() throws IOException {
    long[] sizes = new long[2];
    Path copy =
        killed(
            numbers(),
            Overwriting.IN_PLACE,
            data -> data.write(Selection.all(), filled(EXTENT, 1)),
            data -> {
              sizes[0] = size();
              changePiecewise(data, 2);
              changePiecewise(data, 3);
              sizes[1] = size();
            });
    assertTrue(Files.exists(copy));
    assertEquals(sizes[0], sizes[1]);
  }

  private long size() {
    try {
      return Files.size(path());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
