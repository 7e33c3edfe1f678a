package io.skerry.integration.interop.written;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads and changes contiguous and compact datasets of several ranks with h5py. */
class FlatDatasetsForOthersTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7})
  void ranks_write_their_rows_and_columns_of_one_block(int ranks) {
    Path path = folder.resolve("rows" + ranks + ".h5");
    LocalRanks.run(
        ranks,
        world -> {
          FileOptions small = FileOptions.standard().withRoundLimit(64);
          try (H5File file = H5File.create(path, world, small)) {
            Dataset rows =
                file.createDataset("/rows", DatasetSpec.of(Datatype.I32, Shape.of(7, 30)));
            Dataset columns =
                file.createDataset(
                    "/columns", DatasetSpec.of(Datatype.I32, Shape.of(7, 30)).contiguous());
            for (int i = world.rank(); i < 7; i += ranks) {
              // The calls are collective: ranks without a row left write nothing below.
              int[] row = new int[30];
              int index = i;
              Arrays.setAll(row, j -> index * 30 + j);
              rows.write(Selection.at(i, 0).extent(1, 30), row);
            }
            for (int i = 7 / ranks + (world.rank() < 7 % ranks ? 1 : 0);
                i < (7 + ranks - 1) / ranks;
                i++) {
              rows.write(Selection.none(), new int[0]);
            }
            long from = 30L * world.rank() / ranks;
            long to = 30L * (world.rank() + 1) / ranks;
            int[] part = new int[(int) (7 * (to - from))];
            Arrays.setAll(part, k -> (int) (k / (to - from) * 30 + from + k % (to - from)));
            columns.write(Selection.at(0, from).extent(7, to - from), part);
            assertEquals("contiguous", rows.storage().layout());
            assertArrayEquals(rows.readInts(Selection.all()), columns.readInts(Selection.all()));
          }
        });
    H5pyChecks.reads(
        folder,
        path,
        """
        same(f['rows'][()], np.arange(210).reshape(7, 30)); same(f['columns'][()], f['rows'][()])
        assert f['rows'].chunks is None
        """);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void the_highest_rank_wins_where_parts_overlap_and_the_rest_has_the_fill_value(int ranks) {
    for (String kind : List.of("contiguous", "compact")) {
      for (int seed = 0; seed < 10; seed++) {
        Path path = folder.resolve(kind + ranks + seed + ".h5");
        int[] model = new int[400];
        Arrays.fill(model, 7);
        Random random = new Random(seed * 10L + ranks);
        long[][] parts = new long[2 * ranks][];
        for (int p = 0; p < parts.length; p++) {
          long x = random.nextInt(20);
          long y = random.nextInt(20);
          parts[p] =
              new long[] {x, y, 1 + random.nextInt(20 - (int) x), 1 + random.nextInt(20 - (int) y)};
          for (long i = x; i < x + parts[p][2]; i++) {
            for (long j = y; j < y + parts[p][3]; j++) {
              model[(int) (i * 20 + j)] = 100 + p;
            }
          }
        }
        LocalRanks.run(
            ranks,
            world -> {
              try (H5File file = H5File.create(path, world)) {
                DatasetSpec plain =
                    DatasetSpec.of(Datatype.I32, Shape.of(20, 20))
                        .fillValue((byte) 7, (byte) 0, (byte) 0, (byte) 0);
                Dataset d =
                    file.createDataset(
                        "/d", kind.equals("compact") ? plain.compact() : plain.contiguous());
                assertEquals(7, d.readInts(Selection.at(0, 0))[0]);
                for (int call = 0; call < 2; call++) {
                  int p = call * ranks + world.rank();
                  int[] values = new int[(int) (parts[p][2] * parts[p][3])];
                  Arrays.fill(values, 100 + p);
                  d.write(
                      Selection.at(parts[p][0], parts[p][1]).extent(parts[p][2], parts[p][3]),
                      values);
                  if (call == 0) {
                    file.flush();
                  }
                }
                assertArrayEquals(model, d.readInts(Selection.all()));
              }
            });
        try (H5File file = H5File.open(path)) {
          assertArrayEquals(model, file.dataset("/d").readInts(Selection.all()));
          assertEquals(kind, file.dataset("/d").storage().layout());
        }
        if (seed == 0) {
          H5pyChecks.reads(
              folder, path, "same(f['d'][()].ravel(), " + Arrays.toString(model) + ")");
        }
      }
    }
  }

  @Test
  void scalars_null_dataspaces_and_points_in_any_order_are_kept() {
    Path path = folder.resolve("scalars.h5");
    LocalRanks.run(
        3,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            Dataset scalar = file.createDataset("/s", DatasetSpec.of(Datatype.F64, Shape.scalar()));
            scalar.write(Selection.all(), new double[] {world.rank() + 0.5});
            Dataset compact =
                file.createDataset("/c", DatasetSpec.of(Datatype.I8, Shape.scalar()).compact());
            compact.write(
                world.rank() == 1 ? Selection.all() : Selection.none(),
                world.rank() == 1 ? new byte[] {-3} : new byte[0]);
            file.createDataset("/null", DatasetSpec.withoutElements(Datatype.I32));
            file.createDataset("/empty", DatasetSpec.of(Datatype.I32, Shape.of(0, 4)));
            file.createDataset("/unwritten", DatasetSpec.of(Datatype.I32, Shape.of(4)));
            Dataset points = file.createDataset("/p", DatasetSpec.of(Datatype.I16, Shape.of(10)));
            long r = world.rank();
            points.write(
                Selection.points(new long[][] {{9 - r}, {r}, {9 - r}}),
                new short[] {1, (short) (10 + r), (short) (20 + r)});
            file.createDataset("/large", DatasetSpec.of(Datatype.U8, Shape.of(65531)).compact())
                .write(Selection.at(65530), new byte[] {5});
          }
        });
    H5pyChecks.reads(
        folder,
        path,
        """
        assert f['s'][()] == 2.5 and f['c'][()] == -3
        assert f['null'].shape is None and f['empty'].shape == (0, 4)
        same(f['unwritten'][()], [0, 0, 0, 0])
        same(f['p'][()], [10, 11, 12, 0, 0, 0, 0, 22, 21, 20])
        assert f['large'][65530] == 5 and f['large'][()].sum() == 5
        """);
  }

  @Test
  void additions_of_h5py_to_flat_datasets_are_read_and_changed_again() {
    for (Oracle h5py : H5pyChecks.oracles()) {
      Path path = folder.resolve("turns" + h5py.hdf5() + ".h5");
      try (H5File file = H5File.create(path)) {
        file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(5)))
            .write(Selection.at(1).extent(2), new int[] {1, 2});
        file.createDataset("/c", DatasetSpec.of(Datatype.I32, Shape.of(5)).compact());
      }
      H5pyChecks.changes(
          h5py, folder, path, "f['d'][3] = 9; f['c'][2] = 4; f['e'] = np.arange(6.).reshape(2, 3)");
      try (H5File file = H5File.openForWriting(path, io.skerry.mpi.Communicator.self())) {
        assertArrayEquals(new int[] {0, 1, 2, 9, 0}, file.dataset("/d").readInts(Selection.all()));
        assertArrayEquals(new int[] {0, 0, 4, 0, 0}, file.dataset("/c").readInts(Selection.all()));
        Dataset e = file.dataset("/e");
        e.write(Selection.at(1, 1), new double[] {-1});
        file.dataset("/c").write(Selection.at(0), new int[] {8});
      }
      H5pyChecks.reads(
          folder, path, "same(f['e'][()], [[0, 1, 2], [3, -1, 5]]); same(f['c'][()], [8,0,4,0,0])");
    }
  }

  @Test
  void wrong_values_and_unsuitable_layouts_are_refused() {
    Path path = folder.resolve("wrong.h5");
    LocalRanks.run(
        2,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            Dataset d = file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(4)));
            CollectiveException outside =
                assertThrows(
                    CollectiveException.class,
                    () -> d.write(Selection.at(3L + world.rank()), new int[1]));
            assertTrue(outside.getMessage().contains("dimension"), outside.getMessage());
            CollectiveException few =
                assertThrows(CollectiveException.class, () -> d.write(Selection.all(), new int[3]));
            assertTrue(few.getMessage().contains("expectedBytes=16"), few.getMessage());
            d.write(Selection.all(), new int[] {1, 2, 3, 4});
          }
        });
    Shape growing = Shape.of(4).unlimited(0);
    assertThrows(
        IllegalArgumentException.class, () -> DatasetSpec.of(Datatype.I32, growing).contiguous());
    assertThrows(
        IllegalArgumentException.class,
        () -> DatasetSpec.of(Datatype.U8, Shape.of(65532)).compact());
    assertThrows(
        IllegalArgumentException.class,
        () -> DatasetSpec.of(Datatype.I32, Shape.scalar()).filters(Filters.deflate(1)));
    assertThrows(
        IllegalArgumentException.class,
        () -> DatasetSpec.of(Datatype.F64, Shape.of(1L << 40)).chunked(1L << 29));
  }

  @Test
  void guessed_chunks_have_64_kib_to_1_mib_and_follow_the_access() {
    try (H5File file = H5File.create(folder.resolve("guess.h5"))) {
      Random random = new Random(3);
      for (int i = 0; i < 60; i++) {
        int rank = 1 + random.nextInt(4);
        long[] extent = new long[rank];
        Arrays.setAll(extent, d -> 1 + random.nextInt(rank == 1 ? 1 << 30 : 5000));
        Shape shape = Shape.of(extent).unlimited(random.nextInt(rank));
        DatasetSpec.AccessPattern access = DatasetSpec.AccessPattern.values()[i % 3];
        Dataset d =
            file.createDataset("/d" + i, DatasetSpec.of(Datatype.F64, shape).chunked(access));
        long bytes = 8;
        for (long side : d.storage().chunk()) {
          bytes *= side;
        }
        long whole = 8 * shape.elements();
        assertTrue(bytes <= 1 << 20 && bytes >= Math.min(whole, 1 << 15), shape + " " + bytes);
      }
      Shape frames = Shape.of(0, 512, 512).unlimited(0);
      Dataset rows =
          file.createDataset(
              "/rows", DatasetSpec.of(Datatype.U8, frames).chunked(DatasetSpec.AccessPattern.ROWS));
      assertEquals(List.of(512L, 512L), rows.storage().chunk().subList(1, 3));
      assertEquals(
          "chunked",
          file.createDataset("/auto", DatasetSpec.of(Datatype.U8, frames)).storage().layout());
    }
  }
}
