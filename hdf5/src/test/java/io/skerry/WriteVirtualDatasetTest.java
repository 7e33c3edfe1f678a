package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Trust;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that writes of virtual datasets are stored in their sources. */
class WriteVirtualDatasetTest {
  private static final byte[] FILL = {-1, -1, -1, -1};
  private static final int ROWS = 4;
  private static final int COLUMNS = 6;

  @TempDir Path folder;

  private Path path() {
    return folder.resolve("virtual.h5");
  }

  private static Selection row(long row) {
    return Selection.at(row, 0).extent(1, COLUMNS);
  }

  private static DatasetSpec rowSpec() {
    return DatasetSpec.of(Datatype.I32, Shape.of(COLUMNS)).fillValue(FILL);
  }

  /** Creates a source file for each row, and a virtual dataset of the rows. */
  private void makeRows(DatasetSpec source) {
    VirtualLayout.Builder layout = VirtualLayout.builder();
    for (int row = 0; row < ROWS; row++) {
      makeSource("row" + row + ".h5", source);
      layout.map(row(row), VirtualSource.of("row" + row + ".h5", "/d"));
    }
    makeVirtual(layout, Shape.of(ROWS, COLUMNS));
  }

  private void makeSource(String name, DatasetSpec spec) {
    try (H5File file = H5File.create(folder.resolve(name))) {
      Dataset unused = file.createDataset("/d", spec);
    }
  }

  private void makeVirtual(VirtualLayout.Builder layout, Shape shape) {
    try (H5File file = H5File.create(path())) {
      Dataset unused =
          file.createDataset(
              "/v", DatasetSpec.of(Datatype.I32, shape).fillValue(FILL).virtual(layout.build()));
    }
  }

  private void write(Consumer<Dataset> action) {
    try (H5File file = H5File.openForWriting(path(), Communicator.self())) {
      action.accept(file.dataset("/v"));
    }
  }

  private int[] source(String name) {
    try (H5File file = H5File.open(folder.resolve(name))) {
      return file.dataset("/d").readInts(Selection.all());
    }
  }

  private int[] virtual() {
    try (H5File file = H5File.open(path())) {
      return file.dataset("/v").readInts(Selection.all());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void the_columns_of_each_rank_are_stored_in_all_sources(int ranks) {
    for (DatasetSpec spec : List.of(rowSpec(), rowSpec().chunked(4), rowSpec().sparse(4))) {
      makeRows(spec);
      List<int[]> read =
          LocalRanks.call(
              ranks,
              world -> {
                try (H5File file = H5File.openForWriting(path(), world)) {
                  Dataset dataset = file.dataset("/v");
                  int first = COLUMNS * world.rank() / ranks;
                  int end = COLUMNS * (world.rank() + 1) / ranks;
                  int[] values =
                      IntStream.range(0, ROWS * (end - first))
                          .map(i -> i / (end - first) * COLUMNS + first + i % (end - first))
                          .toArray();
                  dataset.write(Selection.at(0, first).extent(ROWS, end - first), values);
                  return dataset.readInts(Selection.all());
                }
              });
      int[] expected = IntStream.range(0, ROWS * COLUMNS).toArray();
      read.forEach(values -> assertArrayEquals(expected, values));
      assertArrayEquals(IntStream.range(6, 12).toArray(), source("row1.h5"));
    }
  }

  @Test
  void ranks_write_to_sources_to_which_other_ranks_write_nothing() {
    makeRows(rowSpec());
    List<Boolean> unused =
        LocalRanks.call(
            3,
            world -> {
              try (H5File file = H5File.openForWriting(path(), world)) {
                Selection selection = world.rank() == 1 ? row(2) : Selection.none();
                file.dataset("/v")
                    .write(selection, world.rank() == 1 ? new int[COLUMNS] : new int[0]);
              }
              return true;
            });
    assertArrayEquals(new int[COLUMNS], source("row2.h5"));
    assertArrayEquals(new int[] {-1, -1, -1, -1, -1, -1}, source("row0.h5"));
  }

  @Test
  void unmapped_elements_are_named_and_nothing_is_written() {
    makeSource("a.h5", rowSpec());
    makeVirtual(
        VirtualLayout.builder().map(row(0), VirtualSource.of("a.h5", "/d")), Shape.of(2, COLUMNS));
    CollectiveException e =
        assertThrows(
            CollectiveException.class,
            () -> write(dataset -> dataset.write(Selection.all(), new int[2 * COLUMNS])));
    String text = String.valueOf(e.getMessage());
    assertTrue(text.contains("elements=6 first=[1, 0] dataset=/v"), text);
    assertArrayEquals(new int[] {-1, -1, -1, -1, -1, -1}, source("a.h5"));
  }

  @Test
  void a_missing_source_is_named_on_all_ranks_and_nothing_is_written() {
    makeSource("a.h5", rowSpec());
    makeVirtual(
        VirtualLayout.builder()
            .map(row(0), VirtualSource.of("a.h5", "/d"))
            .map(row(1), VirtualSource.of("b.h5", "/d")),
        Shape.of(2, COLUMNS));
    List<String> failures =
        LocalRanks.call(
            2,
            world -> {
              try (H5File file = H5File.openForWriting(path(), world)) {
                Dataset dataset = file.dataset("/v");
                return String.valueOf(
                    assertThrows(
                            CollectiveException.class,
                            () -> dataset.write(row(world.rank()), new int[COLUMNS]))
                        .getMessage());
              }
            });
    failures.forEach(text -> assertTrue(text.contains("source=b.h5:/d"), text));
    assertArrayEquals(new int[] {-1, -1, -1, -1, -1, -1}, source("a.h5"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void missing_sources_are_created_if_the_options_say_so(int ranks) {
    makeSource("a.h5", rowSpec());
    makeVirtual(
        VirtualLayout.builder()
            .map(row(0), VirtualSource.of("a.h5", "/d"))
            .map(row(1), VirtualSource.of("b.h5", "/group/d"))
            .map(row(2), VirtualSource.of("b.h5", "/e").select(Selection.at(1, 2).extent(2, 3)))
            .map(row(3), VirtualSource.of("a.h5", "/more")),
        Shape.of(ROWS, COLUMNS));
    FileOptions options =
        FileOptions.standard().withMissingSources(FileOptions.MissingSources.CREATED);
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.openForWriting(path(), world, options)) {
            int part = COLUMNS / ranks;
            int[] values = new int[ROWS * part];
            Arrays.setAll(values, i -> i / part * COLUMNS + world.rank() * part + i % part);
            file.dataset("/v")
                .write(Selection.at(0, (long) world.rank() * part).extent(ROWS, part), values);
          }
        });
    assertArrayEquals(IntStream.range(0, ROWS * COLUMNS).toArray(), virtual());
    try (H5File file = H5File.open(folder.resolve("b.h5"))) {
      assertArrayEquals(
          IntStream.range(6, 12).toArray(), file.dataset("/group/d").readInts(Selection.all()));
      assertArrayEquals(new long[] {1, COLUMNS}, file.dataset("/group/d").shape().extent());
      assertArrayEquals(
          new int[] {-1, -1, -1, -1, -1, -1, -1, 12, 13, 14, -1, -1, 15, 16, 17},
          file.dataset("/e").readInts(Selection.all()));
    }
    try (H5File file = H5File.open(folder.resolve("a.h5"))) {
      assertArrayEquals(
          IntStream.range(18, 24).toArray(), file.dataset("/more").readInts(Selection.all()));
    }
  }

  @Test
  void a_missing_source_that_no_written_element_needs_is_not_created() {
    makeSource("a.h5", rowSpec());
    makeVirtual(
        VirtualLayout.builder()
            .map(row(0), VirtualSource.of("a.h5", "/d"))
            .map(row(1), VirtualSource.of("b.h5", "/d")),
        Shape.of(3, COLUMNS));
    FileOptions options =
        FileOptions.standard().withMissingSources(FileOptions.MissingSources.CREATED);
    try (H5File file = H5File.openForWriting(path(), Communicator.self(), options)) {
      Dataset dataset = file.dataset("/v");
      dataset.write(row(0), new int[COLUMNS]);
      assertThrows(
          CollectiveException.class,
          () -> dataset.write(Selection.all(), new int[3 * COLUMNS]),
          "the last row has no mapping");
    }
    assertFalse(Files.exists(folder.resolve("b.h5")));
  }

  @Test
  void a_missing_source_that_the_policy_refuses_is_not_created() throws IOException {
    Path inner = Files.createDirectory(folder.resolve("inner"));
    Path file = inner.resolve("v.h5");
    for (String name : List.of("../outside.h5", folder.resolve("absolute.h5").toString())) {
      try (H5File made = H5File.create(file)) {
        Dataset unused =
            made.createDataset(
                "/v",
                DatasetSpec.of(Datatype.I32, Shape.of(COLUMNS))
                    .virtual(
                        VirtualLayout.builder()
                            .map(Selection.all(), VirtualSource.of(name, "/d"))
                            .build()));
      }
      FileOptions options =
          FileOptions.standard()
              .withTrust(Trust.SAME_FOLDER)
              .withMissingSources(FileOptions.MissingSources.CREATED);
      try (H5File open = H5File.openForWriting(file, Communicator.self(), options)) {
        Dataset dataset = open.dataset("/v");
        assertThrows(
            CollectiveException.class, () -> dataset.write(Selection.all(), new int[COLUMNS]));
      }
    }
    assertFalse(Files.exists(folder.resolve("outside.h5")));
    assertFalse(Files.exists(folder.resolve("absolute.h5")));
  }

  @Test
  void a_source_that_cannot_be_opened_for_writing_fails_on_all_ranks() {
    makeRows(rowSpec());
    try (H5File held = H5File.openForWriting(folder.resolve("row1.h5"), Communicator.self())) {
      List<String> failures =
          LocalRanks.call(
              2,
              world -> {
                try (H5File file = H5File.openForWriting(path(), world)) {
                  Dataset dataset = file.dataset("/v");
                  return String.valueOf(
                      assertThrows(
                              CollectiveException.class,
                              () ->
                                  dataset.write(
                                      Selection.at(0, 3L * world.rank()).extent(ROWS, 3),
                                      new int[12]))
                          .getMessage());
                }
              });
      failures.forEach(text -> assertTrue(text.contains("row1.h5"), text));
      assertEquals("/d", held.dataset("/d").path());
    }
  }

  @Test
  void sources_in_the_same_file_are_written() {
    VirtualLayout.Builder layout = VirtualLayout.builder();
    try (H5File file = H5File.create(path())) {
      for (int row = 0; row < 2; row++) {
        Dataset unused = file.createDataset("/row" + row, rowSpec());
        layout.map(row(row), VirtualSource.inSameFile("/row" + row));
      }
      Dataset dataset =
          file.createDataset(
              "/v", DatasetSpec.of(Datatype.I32, Shape.of(2, COLUMNS)).virtual(layout.build()));
      dataset.write(Selection.all(), IntStream.range(0, 12).toArray());
      assertArrayEquals(
          IntStream.range(6, 12).toArray(), file.dataset("/row1").readInts(Selection.all()));
    }
    assertArrayEquals(IntStream.range(0, 12).toArray(), virtual());
  }

  @Test
  void elements_of_virtual_sources_are_stored_in_their_sources() {
    makeRows(rowSpec());
    try (H5File file = H5File.create(folder.resolve("outer.h5"))) {
      Dataset unused =
          file.createDataset(
              "/o",
              DatasetSpec.of(Datatype.I32, Shape.of(ROWS * COLUMNS))
                  .virtual(
                      VirtualLayout.builder()
                          .map(Selection.all(), VirtualSource.of("virtual.h5", "/v"))
                          .build()));
    }
    try (H5File file = H5File.openForWriting(folder.resolve("outer.h5"), Communicator.self())) {
      file.dataset("/o").write(Selection.at(4).extent(10), IntStream.range(4, 14).toArray());
    }
    assertArrayEquals(new int[] {-1, -1, -1, -1, 4, 5}, source("row0.h5"));
    assertArrayEquals(IntStream.range(6, 12).toArray(), source("row1.h5"));
    assertArrayEquals(new int[] {12, 13, -1, -1, -1, -1}, source("row2.h5"));
  }

  @Test
  void elements_of_several_mappings_are_named_and_nothing_is_written() {
    makeSource("a.h5", rowSpec().sparse(4));
    makeSource("b.h5", rowSpec().sparse(2));
    makeVirtual(
        VirtualLayout.builder()
            .map(row(0), VirtualSource.of("a.h5", "/d"))
            .map(
                Selection.at(0, 2).extent(1, 2),
                VirtualSource.of("b.h5", "/d").select(Selection.at(0).extent(2))),
        Shape.of(1, COLUMNS));
    for (Consumer<Dataset> change :
        List.<Consumer<Dataset>>of(
            dataset -> dataset.write(Selection.all(), new int[COLUMNS]),
            dataset -> dataset.write(Selection.at(0, 1).extent(1, 3), new int[3]),
            dataset -> dataset.erase(Selection.at(0, 2).extent(1, 4)))) {
      CollectiveException e = assertThrows(CollectiveException.class, () -> write(change));
      String text = String.valueOf(e.getMessage());
      assertTrue(
          text.contains("several mappings")
              && text.contains("elements=2 first=[0, 2] source=b.h5:/d dataset=/v"),
          text);
    }
    assertArrayEquals(new int[] {-1, -1, -1, -1, -1, -1}, source("a.h5"));
    write(dataset -> dataset.write(Selection.at(0, 4).extent(1, 2), new int[] {4, 5}));
    assertArrayEquals(new int[] {-1, -1, -1, -1, 4, 5}, source("a.h5"));
  }

  @Test
  void elements_of_several_mappings_are_stored_in_the_only_source_that_exists() {
    makeSource("a.h5", rowSpec());
    makeVirtual(
        VirtualLayout.builder()
            .map(row(0), VirtualSource.of("a.h5", "/d"))
            .map(row(0), VirtualSource.of("b.h5", "/d")),
        Shape.of(1, COLUMNS));
    write(dataset -> dataset.write(Selection.all(), IntStream.range(0, 6).toArray()));
    assertArrayEquals(IntStream.range(0, 6).toArray(), source("a.h5"));
  }

  @Test
  void the_last_value_of_an_element_counts() {
    makeRows(rowSpec());
    Selection twice = Selection.points(new long[][] {{0, 5}, {0, 2}, {0, 5}});
    write(dataset -> dataset.write(twice, new int[] {7, 8, 9}));
    assertArrayEquals(new int[] {-1, -1, 8, -1, -1, 9}, source("row0.h5"));
  }

  @Test
  void the_last_mapping_of_a_source_element_counts() {
    makeSource("a.h5", rowSpec());
    makeVirtual(
        VirtualLayout.builder()
            .map(row(0), VirtualSource.of("a.h5", "/d"))
            .map(row(1), VirtualSource.of("a.h5", "/d")),
        Shape.of(2, COLUMNS));
    write(dataset -> dataset.write(Selection.all(), IntStream.range(0, 12).toArray()));
    assertArrayEquals(IntStream.range(6, 12).toArray(), source("a.h5"));
  }

  @Test
  void erased_elements_are_undefined_in_sparse_sources() {
    makeRows(rowSpec().sparse(4));
    write(dataset -> {
      dataset.write(Selection.all(), new int[ROWS * COLUMNS]);
      dataset.erase(Selection.at(1, 2).extent(2, 3));
      assertEquals(18, dataset.defined(Selection.all()).count(dataset.shape()));
    });
    assertArrayEquals(new int[] {0, 0, -1, -1, -1, 0}, source("row2.h5"));
  }

  @Test
  void strings_of_variable_length_are_stored_in_the_sources() {
    Datatype text = VariableLength.string(CharacterSet.UTF8);
    makeSource("a.h5", DatasetSpec.of(text, Shape.of(2)));
    makeSource("b.h5", DatasetSpec.of(text, Shape.of(2)).chunked(1));
    try (H5File file = H5File.create(path())) {
      Dataset dataset =
          file.createDataset(
              "/v",
              DatasetSpec.of(text, Shape.of(4))
                  .virtual(
                      VirtualLayout.builder()
                          .map(Selection.at(0).extent(2), VirtualSource.of("a.h5", "/d"))
                          .map(Selection.at(2).extent(2), VirtualSource.of("b.h5", "/d"))
                          .build()));
      dataset.write(Selection.all(), new String[] {"a", "bb", "ccc", "dddd"});
      assertEquals(List.of("a", "bb", "ccc", "dddd"), dataset.readStrings(Selection.all()));
    }
  }

  @Test
  void values_that_one_rank_cannot_access_fail_on_all_ranks_and_change_nothing() {
    makeSource("left.h5", halfSpec());
    makeSource("right.h5", halfSpec());
    makeVirtual(
        VirtualLayout.builder()
            .map(Selection.at(0, 0).extent(ROWS, 3), VirtualSource.of("left.h5", "/d"))
            .map(Selection.at(0, 3).extent(ROWS, 3), VirtualSource.of("right.h5", "/d")),
        Shape.of(ROWS, COLUMNS));
    MemorySegment closed;
    try (Arena arena = Arena.ofShared()) {
      closed = arena.allocate(4L * ROWS * COLUMNS);
    }
    LocalRanks.run(
        3,
        world -> {
          try (H5File file = H5File.openForWriting(path(), world)) {
            Dataset dataset = file.dataset("/v");
            boolean writes = world.rank() == 1;
            CollectiveException failure =
                assertThrows(
                    CollectiveException.class,
                    () ->
                        dataset.write(
                            writes ? Selection.all() : Selection.none(),
                            Datatype.I32,
                            writes ? closed : MemorySegment.ofArray(new byte[0])));
            assertEquals(List.of(1), failure.failingRanks());
            dataset.write(writes ? row(0) : Selection.none(), new int[writes ? COLUMNS : 0]);
          }
        });
    try (H5File file = H5File.open(path())) {
      assertEquals(
          List.of(0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1),
          Arrays.stream(file.dataset("/v").readInts(Selection.at(0, 0).extent(2, COLUMNS)))
              .boxed()
              .toList());
    }
  }

  private static DatasetSpec halfSpec() {
    return DatasetSpec.of(Datatype.I32, Shape.of(ROWS, 3)).fillValue(FILL);
  }
}
