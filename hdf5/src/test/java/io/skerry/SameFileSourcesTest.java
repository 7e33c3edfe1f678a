package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads virtual datasets whose sources are in the same file, while it is open for writing. */
class SameFileSourcesTest {
  private static final int LENGTH = 12;

  @TempDir Path folder;

  private static Dataset create(H5File file, String path, DatasetSpec spec) {
    return file.createDataset(path, spec);
  }

  private static DatasetSpec ints() {
    return DatasetSpec.of(Datatype.I32, Shape.of(LENGTH));
  }

  private static DatasetSpec over(VirtualSource source) {
    return ints().virtual(VirtualLayout.builder().map(Selection.all(), source).build());
  }

  /** Writes the share of the calling rank, a contiguous part of the dataset. */
  private static void write(Communicator world, Dataset dataset, int base) {
    int share = LENGTH / world.size();
    int[] values = new int[share];
    Arrays.setAll(values, i -> base + world.rank() * share + i);
    dataset.write(Selection.at(world.rank() * share).extent(share), values);
  }

  private static int[] counted(int base) {
    int[] values = new int[LENGTH];
    Arrays.setAll(values, i -> base + i);
    return values;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void unflushed_values_are_read_through_virtual_datasets(int ranks) {
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(folder.resolve("own" + ranks + ".h5"), world)) {
            Dataset chunked = create(file, "/chunked", ints().chunked(4));
            Dataset flat = create(file, "/flat", ints());
            Dataset overChunked = create(file, "/v", over(VirtualSource.inSameFile("/chunked")));
            Dataset overFlat =
                create(file, "/w", over(VirtualSource.of("own" + ranks + ".h5", "/flat")));
            Dataset nested = create(file, "/n", over(VirtualSource.inSameFile("/v")));
            for (int round = 1; round <= 3; round++) {
              write(world, chunked, 100 * round);
              write(world, flat, 1000 * round);
              assertArrayEquals(counted(100 * round), nested.readInts(Selection.all()));
              assertArrayEquals(counted(100 * round), overChunked.readInts(Selection.all()));
              assertArrayEquals(counted(1000 * round), overFlat.readInts(Selection.all()));
              assertArrayEquals(
                  counted(100 * round),
                  file.dataset("/n").readInts(Selection.all()),
                  "opened again");
            }
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void ranks_continue_to_write_after_reading_different_sources(int ranks) {
    LocalRanks.run(
        ranks,
        world -> {
          Path path = folder.resolve("parts" + ranks + ".h5");
          try (H5File file = H5File.create(path, world)) {
            VirtualLayout.Builder layout = VirtualLayout.builder();
            for (int part = 0; part < 3; part++) {
              write(world, create(file, "/p" + part, ints().chunked(5)), 100 * part);
              layout.map(
                  Selection.at(part, 0).extent(1, LENGTH), VirtualSource.inSameFile("/p" + part));
            }
            Dataset all =
                create(
                    file,
                    "/all",
                    DatasetSpec.of(Datatype.I32, Shape.of(3, LENGTH)).virtual(layout.build()));
            int row = world.rank();
            assertArrayEquals(
                counted(100 * row), all.readInts(Selection.at(row, 0).extent(1, LENGTH)));
            write(world, create(file, "/after", ints().chunked(3)), 7);
            assertArrayEquals(counted(7), file.dataset("/after").readInts(Selection.all()));
            file.unlink("/p0");
            write(world, create(file, "/p0", ints().chunked(2)), 55);
            assertArrayEquals(counted(55), all.readInts(Selection.at(0, 0).extent(1, LENGTH)));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void defined_elements_and_strings_come_from_the_open_file(int ranks) {
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(folder.resolve("kinds" + ranks + ".h5"), world)) {
            Dataset sparse = create(file, "/s", ints().sparse(4));
            Dataset virtual = create(file, "/v", over(VirtualSource.inSameFile("/s")));
            sparse.write(
                world.rank() == 0 ? Selection.at(5).extent(2) : Selection.none(),
                world.rank() == 0 ? new int[] {1, 2} : new int[0]);
            assertEquals(2, virtual.defined(Selection.all()).count(virtual.shape()));
            DatasetSpec texts =
                DatasetSpec.of(VariableLength.string(CharacterSet.UTF8), Shape.of(2));
            Dataset text = create(file, "/t", texts);
            Dataset mapped =
                create(
                    file,
                    "/u",
                    texts.virtual(
                        VirtualLayout.builder()
                            .map(Selection.all(), VirtualSource.inSameFile("/t"))
                            .build()));
            List<Value> values = List.of(new Value.Text("one"), new Value.Text("two"));
            text.writeValues(
                world.rank() == 0 ? Selection.all() : Selection.none(),
                world.rank() == 0 ? values : List.of());
            assertEquals(values, mapped.readValues(Selection.all()));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void a_source_in_another_file_may_refer_back_to_the_open_file(int ranks) {
    Path other = folder.resolve("other.h5");
    String name = "back" + ranks + ".h5";
    try (H5File file = H5File.create(other)) {
      create(file, "/v", over(VirtualSource.of(name, "/d")));
    }
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(folder.resolve(name), world)) {
            Dataset data = create(file, "/d", ints().chunked(4));
            Dataset virtual = create(file, "/v", over(VirtualSource.of("other.h5", "/v")));
            for (int round = 1; round <= 2; round++) {
              write(world, data, 10 * round);
              assertArrayEquals(counted(10 * round), virtual.readInts(Selection.all()));
            }
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void a_virtual_dataset_grows_with_a_source_in_the_open_file(int ranks) {
    LocalRanks.run(
        ranks,
        world -> {
          boolean alone = ranks == 1;
          try (H5File file = H5File.create(folder.resolve("grows" + ranks + ".h5"), world)) {
            Dataset data =
                create(
                    file,
                    "/d",
                    DatasetSpec.of(Datatype.I32, Shape.of(LENGTH).unlimited(0)).chunked(4));
            Selection rows = Selection.at(0).extent(Shape.UNLIMITED);
            Dataset created =
                create(
                    file,
                    "/v",
                    DatasetSpec.of(Datatype.I32, Shape.of(0).unlimited(0))
                        .virtual(
                            VirtualLayout.builder()
                                .map(rows, VirtualSource.inSameFile("/d").select(rows))
                                .build()));
            assertEquals(0, created.shape().extent(0));
            // The dataset is reopened before the first flush of the file.
            assertEquals(alone ? LENGTH : 0, file.dataset("/v").shape().extent(0));
            assertEquals(0, created.readInts(Selection.all()).length);
            write(world, data, 3);
            if (!alone) {
              file.flush();
            }
            assertEquals(LENGTH, file.dataset("/v").shape().extent(0));
            assertArrayEquals(counted(3), file.dataset("/v").readInts(Selection.all()));
            data.extend(LENGTH + 2);
            if (!alone) {
              file.flush();
            }
            assertEquals(LENGTH + 2, file.dataset("/v").shape().extent(0));
          }
        });
  }

  @Test
  void only_a_read_of_sources_in_the_open_file_flushes_it() {
    try (H5File file = H5File.create(folder.resolve("elsewhere.h5"))) {
      create(file, "/d", ints()).write(Selection.all(), counted(5));
    }
    LocalRanks.run(
        3,
        world -> {
          try (H5File file = H5File.create(folder.resolve("flushes.h5"), world)) {
            // Sparse chunks are not written in place.
            Dataset data = create(file, "/d", ints().sparse(4));
            Dataset other = create(file, "/v", over(VirtualSource.of("elsewhere.h5", "/d")));
            Dataset same = create(file, "/w", over(VirtualSource.inSameFile("/d")));
            write(world, data, 10);
            file.flush();
            write(world, data, 20);
            assertArrayEquals(counted(5), other.readInts(Selection.all()));
            assertEquals(LENGTH, other.defined(Selection.all()).count(other.shape()));
            assertArrayEquals(counted(10), data.independent().readInts(Selection.all()));
            assertArrayEquals(counted(20), same.readInts(Selection.all()));
            assertArrayEquals(counted(20), data.independent().readInts(Selection.all()));
          }
        });
  }
}
