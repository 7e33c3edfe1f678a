package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.chunk.bytes.Lookup3;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.FileOptions.Overwriting;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H5FileTest {
  @TempDir Path folder;

  @Test
  void a_sparse_dataset_stores_only_written_elements() {
    Path path = folder.resolve("hits.h5");
    try (H5File file = H5File.create(path)) {
      Dataset hits =
          file.createDataset(
              "/entry/hits",
              DatasetSpec.of(Datatype.F32, Shape.of(10, 64, 64).unlimited(0))
                  .sparse(1, 32, 32)
                  .filters(Filters.shuffle(), Filters.deflate(6)));
      hits.write(Selection.points(new long[][] {{0, 1, 2}, {3, 40, 50}}), new float[] {1, 2});
      hits.setAttribute(Attribute.of("units", "ADU"));
    }
    try (H5File file = H5File.open(path)) {
      Dataset hits = file.dataset("/entry/hits");
      assertEquals("ADU", hits.attribute("units").orElseThrow().text());
      Selection found = hits.defined(Selection.all());
      assertArrayEquals(new long[] {0, 1, 2, 3, 40, 50}, found.toCoordinates(hits.shape()));
      assertArrayEquals(new float[] {1, 2}, hits.readFloats(found));
      assertArrayEquals(
          new float[] {0, 1, 0}, hits.readFloats(Selection.at(0, 1, 1).extent(1, 1, 3)));
    }
  }

  @Test
  void ranks_write_one_dense_dataset_collectively() {
    for (int ranks : new int[] {1, 2, 3, 4, 7}) {
      Path path = folder.resolve("dense" + ranks + ".h5");
      LocalRanks.run(
          ranks,
          world -> {
            try (H5File file = H5File.create(path, world)) {
              Dataset d =
                  file.createDataset(
                      "/d",
                      DatasetSpec.of(Datatype.I32, Shape.of(ranks * 3, 100))
                          .chunked(2, 30)
                          .filters(Filters.shuffle(), Filters.deflate(1)));
              int[] mine = new int[300];
              Arrays.setAll(mine, i -> world.rank() * 1000 + i);
              d.write(Selection.at(world.rank() * 3L, 0).extent(3, 100), mine);
            }
          });
      try (H5File file = H5File.open(path)) {
        int[] all = file.dataset("/d").readInts(Selection.all());
        for (int i = 0; i < all.length; i++) {
          assertEquals(i / 300 * 1000 + i % 300, all[i]);
        }
      }
    }
  }

  @Test
  void overwriting_chunks_of_fixed_size_keeps_their_addresses_and_is_visible_on_all_ranks() {
    for (Overwriting how : Overwriting.values()) {
      Path path = folder.resolve("overwrite" + how + ".h5");
      LocalRanks.run(
          3,
          world -> {
            FileOptions options = FileOptions.standard().withOverwriting(how);
            try (H5File file = H5File.create(path, world, options)) {
              Dataset d =
                  file.createDataset(
                      "/d", DatasetSpec.of(Datatype.I32, Shape.of(9, 40)).chunked(3, 40));
              Selection mine = Selection.at(world.rank() * 3L, 0).extent(3, 40);
              int[] values = new int[120];
              Arrays.fill(values, world.rank());
              d.write(mine, values);
              file.flush();
              long size = file.size();
              d.readInts(Selection.all());
              d.write(Selection.at(world.rank() * 3L + 1, 5).extent(1, 30), new int[30]);
              int[] all = d.readInts(Selection.all());
              for (int i = 0; i < all.length; i++) {
                boolean zeroed = i / 40 % 3 == 1 && i % 40 >= 5 && i % 40 < 35;
                assertEquals(zeroed ? 0 : i / 120, all[i]);
              }
              if (how == Overwriting.IN_PLACE) {
                assertEquals(size, file.size());
              }
            }
          });
      try (H5File file = H5File.open(path)) {
        int[] all = file.dataset("/d").readInts(Selection.all());
        assertEquals(0, all[45]);
        assertEquals(2, all[240]);
      }
    }
  }

  /** Tests a file as left by a killed writer; the HDF5 tool h5clear repairs such files. */
  @Test
  void bytes_beyond_an_end_of_file_that_is_too_low_are_not_overwritten() throws IOException {
    Path path = folder.resolve("unended.h5");
    int[] values = IntStream.range(0, 1000).toArray();
    DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(1000)).chunked(100);
    try (H5File file = H5File.create(path)) {
      file.createDataset("/old", spec).write(Selection.all(), values);
    }
    byte[] bytes = Files.readAllBytes(path);
    ByteBuffer superblock = ByteBuffer.wrap(bytes, 0, 48).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(bytes.length, superblock.getLong(28));
    superblock.putLong(28, 500);
    superblock.putInt(44, Lookup3.checksum(MemorySegment.ofArray(bytes).asSlice(0, 44)));
    Files.write(path, bytes);
    try (H5File file = H5File.openForWriting(path, Communicator.self())) {
      file.createDataset("/new", spec).write(Selection.all(), values);
    }
    try (H5File file = H5File.open(path)) {
      assertArrayEquals(values, file.dataset("/old").readInts(Selection.all()));
      assertArrayEquals(values, file.dataset("/new").readInts(Selection.all()));
    }
  }
}
