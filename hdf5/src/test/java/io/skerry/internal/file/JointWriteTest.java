package io.skerry.internal.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.DatasetWrite;
import io.skerry.H5File;
import io.skerry.Verification;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.WriteMode;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests writes to several datasets in one call, and writes that are stored immediately. */
class JointWriteTest {
  private static final int ROWS = 12;
  private static final int COLUMNS = 10;

  @TempDir Path folder;

  private static Datatype text() {
    return VariableLength.string(CharacterSet.UTF8);
  }

  /** Creates one dataset of every kind of storage, in the same order on all ranks. */
  private static List<Dataset> create(H5File file) {
    Shape shape = Shape.of(ROWS, COLUMNS);
    DatasetSpec numbers = DatasetSpec.of(Datatype.I32, shape);
    DatasetSpec texts = DatasetSpec.of(text(), shape);
    return List.of(
        file.createDataset("/dense", numbers.chunked(5, 4).filters(Filters.deflate(1))),
        file.createDataset("/block", numbers),
        file.createDataset("/sparse", numbers.sparse(5, 4)),
        file.createDataset("/words", texts.chunked(5, 4)),
        file.createDataset("/few", texts.sparse(5, 4)));
  }

  private static List<Value> words(int from, int count) {
    return IntStream.range(from, from + count)
        .<Value>mapToObj(i -> new Value.Text("word " + i))
        .toList();
  }

  /**
   * Returns the rows of a rank, the first of which overlaps with the last one of the rank below.
   */
  private static List<DatasetWrite> rows(List<Dataset> datasets, int rank, int ranks) {
    int band = ROWS / ranks;
    int first = Math.max(0, rank * band - 1);
    int rows = (rank + 1) * band - first;
    Selection selection = Selection.at(first, 0).extent(rows, COLUMNS);
    int count = rows * COLUMNS;
    int[] numbers = IntStream.range(0, count).map(i -> rank * 1000 + i).toArray();
    return List.of(
        DatasetWrite.of(datasets.get(0), selection, numbers),
        DatasetWrite.of(datasets.get(1), selection, numbers),
        DatasetWrite.of(datasets.get(2), selection, numbers),
        DatasetWrite.of(datasets.get(3), selection, words(rank * 1000, count)),
        DatasetWrite.of(datasets.get(4), selection, words(rank * 1000, count)));
  }

  private static int[] expected(int ranks) {
    int[] expected = new int[ROWS * COLUMNS];
    int band = ROWS / ranks;
    for (int rank = 0; rank < ranks; rank++) {
      int first = Math.max(0, rank * band - 1) * COLUMNS;
      for (int i = 0; first + i < (rank + 1) * band * COLUMNS; i++) {
        expected[first + i] = rank * 1000 + i;
      }
    }
    return expected;
  }

  private static void assertHolds(H5File file, int[] numbers) {
    for (String path : List.of("/dense", "/block", "/sparse")) {
      assertArrayEquals(numbers, file.dataset(path).readInts(Selection.all()), path);
    }
    List<String> texts = Arrays.stream(numbers).mapToObj(n -> "word " + n).toList();
    for (String path : List.of("/words", "/few")) {
      assertEquals(texts, file.dataset(path).readStrings(Selection.all()), path);
    }
  }

  @Test
  void datasets_of_every_kind_are_written_in_one_call() {
    for (int ranks : new int[] {1, 2, 3, 4}) {
      Path path = folder.resolve(ranks + ".h5");
      LocalRanks.run(
          ranks,
          world -> {
            try (H5File file = H5File.create(path, world)) {
              file.writeAll(rows(create(file), world.rank(), world.size()));
              assertHolds(file, expected(ranks));
            }
          });
      try (H5File file = H5File.open(path)) {
        assertHolds(file, expected(ranks));
      }
      assertClean(path);
    }
  }

  private static void assertClean(Path path) {
    List<Verification.Finding> findings = new ArrayList<>();
    var unused = Verification.of(path, findings::add);
    assertEquals(List.of(), findings);
  }

  @Test
  void a_rank_may_skip_a_dataset_and_write_another_one_twice() {
    Path path = folder.resolve("some.h5");
    LocalRanks.run(
        3,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            List<Dataset> datasets = create(file);
            Selection corner = Selection.at(0, 0);
            List<DatasetWrite> writes = new ArrayList<>();
            for (int turn = 0; turn < 2; turn++) {
              for (int i = 0; i < datasets.size(); i++) {
                Dataset dataset = datasets.get(i);
                boolean mine = world.rank() == i % 3;
                boolean isText = i >= 3;
                if (!mine) {
                  writes.add(DatasetWrite.nothing(dataset));
                } else if (isText) {
                  writes.add(DatasetWrite.of(dataset, corner, words(turn, 1)));
                } else {
                  writes.add(DatasetWrite.of(dataset, corner, new int[] {turn}));
                }
              }
            }
            file.writeAll(writes);
            for (Dataset dataset : datasets.subList(0, 3)) {
              assertEquals(1, dataset.readInts(corner)[0], dataset.path());
            }
            for (Dataset dataset : datasets.subList(3, 5)) {
              assertEquals(List.of("word 1"), dataset.readStrings(corner), dataset.path());
            }
          }
        });
    assertClean(path);
  }

  @Test
  void a_failure_of_one_rank_changes_no_chunk() {
    Path path = folder.resolve("failed.h5");
    LocalRanks.run(
        3,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            List<Dataset> datasets = create(file).subList(0, 3);
            int[] zeros = new int[ROWS * COLUMNS];
            List<DatasetWrite> writes = new ArrayList<>();
            Selection outside = Selection.at(0, world.rank() == 1 ? COLUMNS : 0);
            for (Dataset dataset : datasets) {
              writes.add(DatasetWrite.of(dataset, Selection.at(1, 1), new int[] {7}));
            }
            writes.add(DatasetWrite.of(datasets.getLast(), outside, new int[] {7}));
            CollectiveException e =
                assertThrows(CollectiveException.class, () -> file.writeAll(writes));
            assertEquals(List.of(1), e.failingRanks());
            assertTrue(e.getMessage().contains("/dense"), e::getMessage);
            for (Dataset dataset : datasets) {
              assertArrayEquals(zeros, dataset.readInts(Selection.all()), dataset.path());
            }
            assertTrue(datasets.getLast().defined(Selection.all()).isEmpty());
          }
        });
  }

  @Test
  void ranks_that_pass_different_datasets_are_refused() {
    LocalRanks.run(
        2,
        world -> {
          try (H5File file = H5File.create(folder.resolve("different.h5"), world)) {
            List<Dataset> datasets = create(file);
            List<DatasetWrite> writes = List.of(DatasetWrite.nothing(datasets.get(world.rank())));
            CollectiveException e =
                assertThrows(CollectiveException.class, () -> file.writeAll(writes));
            assertTrue(e.getMessage().contains("/dense") && e.getMessage().contains("/block"));
            file.writeAll(List.of(DatasetWrite.nothing(datasets.getFirst())));
          }
        });
  }

  /**
   * Tests that ranks whose writes need different collective steps are refused, instead of waiting
   * for each other.
   */
  @Test
  void ranks_that_pass_different_kinds_of_content_are_refused() {
    LocalRanks.run(
        2,
        world -> {
          try (H5File file = H5File.create(folder.resolve("forms.h5"), world)) {
            Dataset block = create(file).get(1);
            List<Value> values = List.of(new Value.Whole(BigInteger.valueOf(7)));
            List<DatasetWrite> writes =
                List.of(
                    world.rank() == 0
                        ? DatasetWrite.nothing(block)
                        : DatasetWrite.of(block, Selection.at(1, 1), values));
            CollectiveException e =
                assertThrows(CollectiveException.class, () -> file.writeAll(writes));
            assertTrue(e.getMessage().contains("a list of values"), e::getMessage);
            Selection mine = world.rank() == 0 ? Selection.none() : Selection.at(1, 1);
            file.writeAll(List.of(DatasetWrite.of(block, mine, values.subList(0, world.rank()))));
            assertEquals(7, block.readInts(Selection.at(1, 1))[0]);
          }
        });
  }

  @Test
  void a_dataset_of_another_file_is_refused() {
    try (H5File one = H5File.create(folder.resolve("one.h5"));
        H5File other = H5File.create(folder.resolve("other.h5"))) {
      Dataset foreign = create(other).getFirst();
      List<DatasetWrite> writes = List.of(DatasetWrite.nothing(foreign));
      CollectiveException refused =
          assertThrows(CollectiveException.class, () -> one.writeAll(writes));
      assertTrue(refused.getMessage().contains("other.h5"), refused.getMessage());
    }
  }

  private void assertOnDisk(Path path, Communicator world, int[] numbers) {
    world.barrier();
    if (world.rank() == 0) {
      Path copy = folder.resolve("copy.h5");
      try {
        Files.deleteIfExists(copy);
        Files.copy(path, copy);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      try (H5File file = H5File.open(copy)) {
        assertHolds(file, numbers);
      }
    }
    world.barrier();
  }

  @Test
  void values_written_through_are_in_the_file_when_the_call_returns() {
    FileOptions through = FileOptions.standard().withWriteMode(WriteMode.THROUGH);
    for (int ranks : new int[] {1, 2, 3}) {
      Path path = folder.resolve("through-" + ranks + ".h5");
      LocalRanks.run(
          ranks,
          world -> {
            try (H5File file = H5File.create(path, world, through)) {
              List<Dataset> datasets = create(file);
              int[] numbers = expected(ranks);
              // In this order, only the write mode causes the last write to be stored
              // immediately.
              List<DatasetWrite> writes = rows(datasets, world.rank(), ranks);
              writes.reversed().forEach(write -> file.writeAll(List.of(write)));
              assertOnDisk(path, world, numbers);
              Dataset sparse = datasets.get(2);
              sparse.erase(Selection.at(0, 0));
              numbers[0] = 0;
              datasets.get(1).write(Selection.at(0, 0), new int[] {0});
              datasets.get(3).writeValues(Selection.at(0, 0), words(0, 1));
              datasets.get(4).writeValues(Selection.at(0, 0), words(0, 1));
              datasets.get(0).write(Selection.at(0, 0), new int[] {0});
              assertOnDisk(path, world, numbers);
            }
          });
      assertClean(path);
    }
  }

  @Test
  void ranks_with_different_write_modes_cannot_open_the_file() {
    LocalRanks.run(
        2,
        world -> {
          FileOptions options =
              FileOptions.standard()
                  .withWriteMode(world.rank() == 0 ? WriteMode.BACK : WriteMode.THROUGH);
          Path path = folder.resolve("modes.h5");
          CollectiveException e =
              assertThrows(
                  CollectiveException.class, () -> H5File.create(path, world, options).close());
          assertTrue(e.getMessage().contains("THROUGH"), e::getMessage);
        });
  }
}
