package io.skerry.integration.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.filter.Filters;
import io.skerry.format.FormatBounds;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that chunks whose index contains impossible addresses are refused. */
class CraftedChunksTest {
  private static final int CHUNK = 512;

  @TempDir Path folder;

  @Test
  void chunks_of_an_implicit_index_beyond_the_end_of_the_file_are_refused() {
    assumeFalse(Oracle.h5py().isEmpty(), "no Python with h5py");
    Path path = folder.resolve("implicit.h5");
    String script =
        """
        import sys, h5py, numpy as np
        f = h5py.File(sys.argv[1], 'w', libver='latest')
        t = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        t.set_chunk((10,)); t.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        s = h5py.h5s.create_simple((12340,))
        d = h5py.h5d.create(f.id, b'd', h5py.h5t.NATIVE_INT64, s, t)
        d.write(h5py.h5s.ALL, h5py.h5s.ALL, np.full(12340, 0x1111111111111111))
        f.close()
        """;
    Oracle.h5py().getFirst().run(folder, "-c", script, path).expectSuccess();
    CraftedFile file = CraftedFile.of(path);
    byte[] ones = new byte[8];
    Arrays.fill(ones, (byte) 0x11);
    long address = file.all(ones).getFirst();
    file.u64(file.only(address), address + 4096).store();
    try (H5File read = H5File.open(path)) {
      CraftedFile.refused(
          () -> read.dataset("/d").readLongs(Selection.at(0).extent(5)),
          "chunks of an implicit index");
    }
  }

  @Test
  void two_chunks_at_one_address_are_not_read() {
    Path path = folder.resolve("shared.h5");
    try (H5File file =
        H5File.create(
            path, Communicator.self(), FileOptions.standard().withBounds(FormatBounds.EARLIEST))) {
      long[] values = new long[2 * CHUNK];
      Arrays.fill(values, 0, CHUNK, 0x1111111111111111L);
      Arrays.fill(values, CHUNK, 2 * CHUNK, 0x2222222222222222L);
      file.createDataset("/data", DatasetSpec.of(Datatype.I64, Shape.of(2 * CHUNK)).chunked(CHUNK))
          .write(Selection.all(), values);
    }
    CraftedFile file = CraftedFile.of(path);
    byte[] ones = new byte[8];
    Arrays.fill(ones, (byte) 0x11);
    byte[] twos = new byte[8];
    Arrays.fill(twos, (byte) 0x22);
    long first = file.all(ones).getFirst();
    long second = file.all(twos).getFirst();
    file.u64(file.only(second), first).store();
    try (H5File read = H5File.open(path)) {
      assertEquals(2 * CHUNK, read.dataset("/data").shape().elements());
      CraftedFile.refused(
          () -> read.dataset("/data").readLongs(Selection.all()),
          "two chunks have the same address");
    }
  }

  @Test
  void a_chunk_beyond_the_end_of_the_file_is_named_when_several_are_read_at_once()
      throws IOException {
    Path path = folder.resolve("long.h5");
    long size;
    try (H5File file =
        H5File.create(
            path, Communicator.self(), FileOptions.standard().withBounds(FormatBounds.EARLIEST))) {
      Dataset data =
          file.createDataset(
              "/data",
              DatasetSpec.of(Datatype.I64, Shape.of(2 * CHUNK))
                  .chunked(CHUNK)
                  .filters(Filters.deflate(1)));
      data.write(Selection.all(), new long[2 * CHUNK]);
      size = data.chunks().at(CHUNK).orElseThrow().size();
    }
    CraftedFile file = CraftedFile.of(path);
    // The key of the second chunk in the B-tree: size, filter mask, offset.
    ByteBuffer key = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    key.putInt((int) size).putInt(0).putLong(CHUNK);
    // Short enough to be read together with the first chunk.
    file.put(file.only(key.array()), Integer.BYTES, Files.size(path)).store();
    try (H5File read = H5File.open(path)) {
      FormatException refusal =
          CraftedFile.refused(
              () -> read.dataset("/data").readLongs(Selection.at(CHUNK - 1).extent(2)),
              "outside the file");
      assertEquals(Optional.of("/data chunk [1]"), refusal.object());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void overlapping_chunks_are_not_overwritten(int ranks) {
    Path path = folder.resolve("overlap.h5");
    try (H5File file = H5File.create(path)) {
      Shape shape = Shape.of(8, 8).unlimited(0).unlimited(1);
      file.createDataset("/data", DatasetSpec.of(Datatype.I8, shape).chunked(1, 1))
          .write(Selection.all(), new byte[64]);
    }
    CraftedFile file = CraftedFile.of(path);
    // Layout version 4, chunked: flags, dimensions, width and sizes, B-tree of version 2.
    int layout = file.only(new byte[] {4, 2, 0, 3, 1, 1, 1, 1, 5});
    file.put(layout + 5, 1, 2).store();
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File opened = H5File.openForWriting(path, world)) {
            Selection mine = Selection.at(0, 4 * world.rank()).extent(8, 8 / world.size());
            byte[] values = new byte[64 / world.size()];
            RuntimeException refusal =
                assertThrows(
                    RuntimeException.class, () -> opened.dataset("/data").write(mine, values));
            assertTrue(refusal.getMessage().contains("chunks overlap"), refusal.toString());
          }
        });
  }
}
