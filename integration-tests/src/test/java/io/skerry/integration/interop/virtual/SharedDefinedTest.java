package io.skerry.integration.interop.virtual;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.VirtualLayout;
import io.skerry.VirtualSource;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Collective queries for the defined elements of virtual datasets with sparse sources. */
class SharedDefinedTest {
  private static final int SOURCES = 5;
  private static final int ROWS = 8;
  private static final int COLUMNS = 6;
  private static final int HEIGHT = SOURCES * ROWS;
  private static final Shape SHAPE = Shape.of(HEIGHT, COLUMNS);
  private static final FileOptions STANDARD = FileOptions.standard();

  /** The source whose elements are in one block. */
  private static final int DENSE = 1;

  /** The source that does not exist. */
  private static final int MISSING = 3;

  @TempDir Path folder;

  private final Random random = new Random(7);
  private final int number = new Random().nextInt(1 << 16);
  private final CountedFilter.Counts counts = CountedFilter.counts(number);
  private final boolean[] stacked = new boolean[HEIGHT * COLUMNS];

  @BeforeEach
  void makes_sources() {
    // Another test may have had the same number.
    int unused = counts.takeDecoded();
    VirtualLayout.Builder rows = VirtualLayout.builder();
    for (int source = 0; source < SOURCES; source++) {
      if (source != MISSING) {
        write(source);
      }
      rows.map(rows(source * ROWS, ROWS), VirtualSource.of(name(source), "/d"));
    }
    VirtualLayout swapped =
        VirtualLayout.builder()
            .map(half(0), VirtualSource.of("all.h5", "/stacked").select(half(1)))
            .map(half(1), VirtualSource.of("all.h5", "/stacked").select(half(0)))
            .build();
    // The second mapping covers rows of the first; the source of the third is missing.
    VirtualLayout covered =
        VirtualLayout.builder()
            .map(Selection.all(), VirtualSource.of("all.h5", "/stacked"))
            .map(rows(4, ROWS), VirtualSource.of(name(4), "/d"))
            .map(rows(0, ROWS), VirtualSource.of(name(MISSING), "/d"))
            .build();
    try (H5File file = H5File.create(folder.resolve("all.h5"))) {
      DatasetSpec spec = DatasetSpec.of(Datatype.I32, SHAPE);
      file.createDataset("stacked", spec.virtual(rows.build()));
      file.createDataset("swapped", spec.virtual(swapped));
      file.createDataset("covered", spec.virtual(covered));
    }
  }

  private static String name(int source) {
    return "source" + source + ".h5";
  }

  private static Selection rows(int from, int count) {
    return Selection.at(from, 0).extent(count, COLUMNS);
  }

  private static Selection half(int which) {
    return rows(which * HEIGHT / 2, HEIGHT / 2);
  }

  private void write(int source) {
    DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(ROWS, COLUMNS));
    long[] written =
        LongStream.range(0, ROWS * COLUMNS)
            .filter(_ -> source == DENSE || random.nextInt(3) == 0)
            .toArray();
    try (H5File file = H5File.create(folder.resolve(name(source)))) {
      file.createDataset(
              "d", source == DENSE ? spec : spec.sparse(2, 3).filters(CountedFilter.spec(number)))
          .write(Selection.points(2, coordinates(written)), new int[written.length]);
    }
    Arrays.stream(written).forEach(at -> stacked[source * ROWS * COLUMNS + (int) at] = true);
  }

  private static long[] coordinates(long[] indices) {
    return Arrays.stream(indices)
        .flatMap(index -> LongStream.of(index / COLUMNS, index % COLUMNS))
        .toArray();
  }

  /** Returns the number of chunks of sparse sources that have defined elements. */
  private long storedChunks() {
    return LongStream.range(0, stacked.length)
        .filter(i -> stacked[(int) i] && i / COLUMNS / ROWS != DENSE)
        .map(i -> i / COLUMNS / 2 * 2 + i % COLUMNS / 3)
        .distinct()
        .count();
  }

  /** Returns whether an element of a virtual dataset is defined. */
  private boolean isDefined(String dataset, int row, int column) {
    int from = row;
    if (dataset.equals("swapped")) {
      from = (row + HEIGHT / 2) % HEIGHT;
    } else if (dataset.equals("covered") && row >= 4 && row < 4 + ROWS) {
      from = 4 * ROWS + row - 4;
    }
    return stacked[from * COLUMNS + column];
  }

  private void compare(Dataset dataset, Selection selection) {
    long[] at = selection.toCoordinates(SHAPE);
    long[] expected =
        LongStream.range(0, at.length / 2)
            .filter(i ->
                isDefined(
                    dataset.path().substring(1), (int) at[2 * (int) i], (int) at[2 * (int) i + 1]))
            .flatMap(i -> LongStream.of(at[2 * (int) i], at[2 * (int) i + 1]))
            .toArray();
    Selection defined = dataset.defined(selection);
    assertArrayEquals(
        expected, defined.toCoordinates(SHAPE), () -> dataset.path() + " " + selection);
  }

  /** Returns the elements that a rank selects. */
  @FunctionalInterface
  private interface Wanted {
    Selection on(Communicator world);
  }

  /** Compares elements on all ranks, and returns the number of decoded chunks. */
  private int decoded(int ranks, String name, FileOptions options, Wanted wanted) {
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.open(folder.resolve("all.h5"), world, options)) {
            compare(file.dataset(name), wanted.on(world));
          }
        });
    return counts.takeDecoded();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void each_chunk_is_decoded_once_if_all_ranks_select_all(int ranks) {
    int once = decoded(1, "stacked", STANDARD, _ -> Selection.all());
    assertEquals(storedChunks(), once);
    assertEquals(once, decoded(ranks, "stacked", STANDARD, _ -> Selection.all()));
    assertEquals(once, decoded(ranks, "swapped", STANDARD, _ -> Selection.all()));
    int most = decoded(ranks, "covered", STANDARD, _ -> Selection.all());
    assertTrue(ranks == 1 || most <= once, "decoded " + most);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void each_chunk_is_decoded_once_if_the_answers_are_sent_piece_by_piece(int ranks) {
    int once = decoded(1, "stacked", STANDARD, _ -> Selection.all());
    for (long limit : new long[] {1, 64, 300}) {
      FileOptions options = STANDARD.withReadLimit(limit);
      assertEquals(once, decoded(ranks, "stacked", options, _ -> Selection.all()));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void each_chunk_is_decoded_at_most_once_if_the_ranks_select_other_elements(int ranks) {
    int once = decoded(1, "stacked", STANDARD, _ -> Selection.all());
    ToLongFunction<Wanted> most =
        wanted ->
            Math.max(
                decoded(ranks, "stacked", STANDARD, wanted),
                decoded(ranks, "swapped", STANDARD, wanted));
    long overlapping = most.applyAsLong(world -> rows(5 * world.rank(), HEIGHT - 7 * world.rank()));
    assertTrue(overlapping <= once, "decoded " + overlapping);
    long mixed =
        most.applyAsLong(world ->
            switch (world.rank() % 3) {
              case 0 -> Selection.at(0, 1).stride(1, 3).count(HEIGHT, 2);
              case 1 -> Selection.points(new long[][] {{39, 3}, {0, 5}, {39, 3}, {7, 0}});
              default -> Selection.none();
            });
    assertTrue(mixed <= once, "decoded " + mixed);
  }

  private static String failure(Dataset dataset) {
    CollectiveException e =
        assertThrows(
            CollectiveException.class,
            () -> {
              var unused = dataset.defined(Selection.all());
            });
    return String.valueOf(e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void a_chunk_that_one_rank_cannot_decode_fails_on_all_ranks(int ranks) {
    for (String name : new String[] {"stacked", "swapped"}) {
      LocalRanks.run(
          ranks,
          world -> {
            try (H5File file = H5File.open(folder.resolve("all.h5"), world)) {
              Dataset dataset = file.dataset(name);
              if (world.rank() == 0) {
                counts.fail(2);
              }
              world.barrier();
              String message = failure(dataset);
              assertTrue(message.contains("a test makes it fail"), message);
              assertTrue(message.matches("(?s).*source\\d\\.h5.*"), message);
              compare(dataset, Selection.all());
            }
          });
    }
  }

  /** Returns options with which the last rank finds sources in another folder. */
  private static FileOptions elsewhere(Communicator world, Path other) {
    return world.rank() == world.size() - 1
        ? STANDARD.withVirtualPrefix(other.toString())
        : STANDARD;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void a_source_that_one_rank_cannot_open_fails_on_all_ranks(int ranks) throws IOException {
    Path other = Files.createDirectory(folder.resolve("elsewhere"));
    Path copy = Files.copy(folder.resolve(name(2)), other.resolve(name(2)));
    try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
      channel.truncate(40);
    }
    LocalRanks.run(
        ranks,
        world -> {
          FileOptions options = elsewhere(world, other);
          try (H5File file = H5File.open(folder.resolve("all.h5"), world, options)) {
            Dataset dataset = file.dataset("stacked");
            String message = failure(dataset);
            assertTrue(message.contains(copy.toString()), message);
            compare(dataset, rows(0, 2 * ROWS));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void a_source_that_one_rank_does_not_find_fails_on_all_ranks(int ranks) throws IOException {
    Path other = Files.createDirectory(folder.resolve("elsewhere"));
    Path unused = Files.copy(folder.resolve(name(2)), other.resolve(name(MISSING)));
    LocalRanks.run(
        ranks,
        world -> {
          FileOptions options = elsewhere(world, other);
          try (H5File file = H5File.open(folder.resolve("all.h5"), world, options)) {
            Dataset dataset = file.dataset("stacked");
            String message = failure(dataset);
            assertTrue(message.contains(name(MISSING)), message);
            assertTrue(message.contains("expected=MISSING as on rank 0 actual=FOUND"), message);
            compare(dataset, rows(0, 3 * ROWS));
          }
        });
  }
}
