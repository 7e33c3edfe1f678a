package io.skerry.integration.interop.virtual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.VirtualLayout;
import io.skerry.VirtualSource;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Collective reads of virtual datasets whose elements refer to contents. */
class SharedContentsTest {
  private static final int SOURCES = 5;
  private static final int ROWS = 8;
  private static final int COLUMNS = 6;
  private static final int HEIGHT = SOURCES * ROWS;
  private static final Shape SHAPE = Shape.of(HEIGHT, COLUMNS);
  private static final FileOptions STANDARD = FileOptions.standard();

  /** The source whose elements are in one block. */
  private static final int CONTIGUOUS = 1;

  /** The source that does not exist. */
  private static final int MISSING = 3;

  /** The number of chunks of the other sources; each has two rows and three columns. */
  private static final int CHUNKS = (SOURCES - 2) * (ROWS / 2) * (COLUMNS / 3);

  @TempDir Path folder;

  private final int number = new Random().nextInt(1 << 16);
  private final CountedFilter.Counts counts = CountedFilter.counts(number);

  /** The values of the dataset that consists of the rows of all sources. */
  private final Map<ContentKind, Value[]> stacked = new EnumMap<>(ContentKind.class);

  @BeforeEach
  void makes_sources() {
    // Another test may have had the same number.
    int unused = counts.takeDecoded();
    for (ContentKind kind : ContentKind.values()) {
      Value[] values = new Value[HEIGHT * COLUMNS];
      Arrays.fill(values, kind.fill());
      stacked.put(kind, values);
    }
    for (int source = 0; source < SOURCES; source++) {
      if (source != MISSING) {
        write(source);
      }
    }
    try (H5File file = H5File.create(folder.resolve("all.h5"))) {
      for (ContentKind kind : ContentKind.values()) {
        makeVirtual(file, kind);
      }
    }
  }

  private static void makeVirtual(H5File file, ContentKind kind) {
    VirtualLayout.Builder rows = VirtualLayout.builder();
    VirtualLayout.Builder within = VirtualLayout.builder();
    for (int source = 0; source < SOURCES; source++) {
      Selection ofSource = rows(source * ROWS, ROWS);
      rows.map(ofSource, VirtualSource.of(name(source), kind.path()));
      within.map(ofSource, VirtualSource.of(name(source), "/same" + kind.path()));
    }
    VirtualSource whole = VirtualSource.of("all.h5", "/stacked" + kind.path());
    VirtualLayout swapped =
        VirtualLayout.builder()
            .map(half(0), whole.select(half(1)))
            .map(half(1), whole.select(half(0)))
            .build();
    // The second mapping covers rows of the first; the source of the third is missing.
    VirtualLayout covered =
        VirtualLayout.builder()
            .map(Selection.all(), whole)
            .map(rows(4, ROWS), VirtualSource.of(name(4), kind.path()))
            .map(rows(0, ROWS), VirtualSource.of(name(MISSING), kind.path()))
            .build();
    DatasetSpec spec = DatasetSpec.of(kind.virtualType(), SHAPE);
    file.createDataset("/stacked" + kind.path(), spec.virtual(rows.build()));
    file.createDataset("/within" + kind.path(), spec.virtual(within.build()));
    file.createDataset("/swapped" + kind.path(), spec.virtual(swapped));
    file.createDataset("/covered" + kind.path(), spec.virtual(covered));
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
    Path path = folder.resolve(name(source));
    try (H5File file = H5File.create(path)) {
      ContentKind.writeTargets(file);
      for (ContentKind kind : ContentKind.values()) {
        DatasetSpec spec = DatasetSpec.of(kind.type(), Shape.of(ROWS, COLUMNS));
        List<Value> values =
            IntStream.range(0, ROWS * COLUMNS).mapToObj(i -> kind.value(file, source, i)).toList();
        file.createDataset(kind.path(), source == CONTIGUOUS ? spec : filtered(kind, spec))
            .writeValues(Selection.all(), values);
        VirtualLayout same =
            VirtualLayout.builder()
                .map(Selection.all(), VirtualSource.inSameFile(kind.path()))
                .build();
        file.createDataset("/same" + kind.path(), spec.virtual(same));
        for (int i = 0; i < values.size(); i++) {
          stacked.get(kind)[source * ROWS * COLUMNS + i] =
              ContentKind.seenFrom(values.get(i), path.toString());
        }
      }
    }
  }

  private DatasetSpec filtered(ContentKind kind, DatasetSpec spec) {
    DatasetSpec chunked = kind == ContentKind.SPARSE ? spec.sparse(2, 3) : spec.chunked(2, 3);
    return chunked.filters(CountedFilter.spec(number));
  }

  /** Returns the expected value of an element of a virtual dataset. */
  private Value value(String dataset, ContentKind kind, int row, int column) {
    int from = row;
    if (dataset.equals("swapped")) {
      from = (row + HEIGHT / 2) % HEIGHT;
    } else if (dataset.equals("covered") && row >= 4 && row < 4 + ROWS) {
      from = 4 * ROWS + row - 4;
    }
    return stacked.get(kind)[from * COLUMNS + column];
  }

  private void compare(H5File file, String dataset, ContentKind kind, Selection selection) {
    long[] at = selection.toCoordinates(SHAPE);
    List<Value> expected =
        IntStream.range(0, at.length / 2)
            .mapToObj(i -> value(dataset, kind, (int) at[2 * i], (int) at[2 * i + 1]))
            .toList();
    String path = "/" + dataset + kind.path();
    assertEquals(expected, file.dataset(path).readValues(selection), () -> path + " " + selection);
  }

  /** Returns the elements that a rank selects. */
  @FunctionalInterface
  private interface Wanted {
    Selection on(Communicator world);
  }

  /** Compares elements on all ranks, and returns the number of decoded chunks. */
  private int decoded(
      int ranks, String dataset, ContentKind kind, FileOptions options, Wanted wanted) {
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.open(folder.resolve("all.h5"), world, options)) {
            compare(file, dataset, kind, wanted.on(world));
          }
        });
    return counts.takeDecoded();
  }

  /** Returns the number of decoded chunks or sections of chunks in a read of all elements. */
  private int once(ContentKind kind) {
    int once = decoded(1, "stacked", kind, STANDARD, _ -> Selection.all());
    if (kind == ContentKind.SPARSE) {
      assertTrue(once >= CHUNKS, "decoded " + once);
    } else {
      assertEquals(CHUNKS, once);
    }
    return once;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void each_chunk_is_decoded_once_if_all_ranks_select_all(int ranks) {
    for (ContentKind kind : ContentKind.values()) {
      int once = once(kind);
      assertEquals(
          once, decoded(ranks, "stacked", kind, STANDARD, _ -> Selection.all()), kind::name);
      assertEquals(
          once, decoded(ranks, "swapped", kind, STANDARD, _ -> Selection.all()), kind::name);
      assertEquals(
          once, decoded(ranks, "within", kind, STANDARD, _ -> Selection.all()), kind::name);
      int most = decoded(ranks, "covered", kind, STANDARD, _ -> Selection.all());
      assertTrue(ranks == 1 || most <= once, () -> kind + " decoded " + most);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void each_chunk_is_decoded_once_if_the_contents_are_sent_piece_by_piece(int ranks) {
    for (ContentKind kind : ContentKind.values()) {
      int once = once(kind);
      for (long limit : new long[] {1, 64, 1000}) {
        FileOptions options = STANDARD.withReadLimit(limit);
        assertEquals(
            once, decoded(ranks, "stacked", kind, options, _ -> Selection.all()), kind::name);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void each_chunk_is_decoded_at_most_once_if_the_ranks_select_other_elements(int ranks) {
    for (ContentKind kind : ContentKind.values()) {
      int once = once(kind);
      for (String dataset : List.of("stacked", "swapped")) {
        int overlapping =
            decoded(
                ranks,
                dataset,
                kind,
                STANDARD,
                world -> rows(5 * world.rank(), HEIGHT - 7 * world.rank()));
        assertTrue(overlapping <= once, () -> kind + " decoded " + overlapping);
        int mixed = decoded(ranks, dataset, kind, STANDARD, SharedContentsTest::mixed);
        assertTrue(mixed <= once, () -> kind + " decoded " + mixed);
      }
    }
  }

  /** Returns columns, points with repetitions, or no elements. */
  private static Selection mixed(Communicator world) {
    return switch (world.rank() % 3) {
      case 0 -> Selection.at(0, 1).stride(1, 3).count(HEIGHT, 2);
      case 1 -> Selection.points(new long[][] {{39, 3}, {0, 5}, {39, 3}, {7, 0}, {0, 5}, {28, 1}});
      default -> Selection.none();
    };
  }

  private static String failure(Dataset dataset) {
    CollectiveException e =
        assertThrows(
            CollectiveException.class,
            () -> {
              var unused = dataset.readValues(Selection.all());
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
              Dataset dataset = file.dataset("/" + name + ContentKind.TEXT.path());
              if (world.rank() == 0) {
                counts.fail(2);
              }
              world.barrier();
              String message = failure(dataset);
              assertTrue(message.contains("a test makes it fail"), message);
              assertTrue(message.matches("(?s).*source\\d\\.h5.*"), message);
              compare(file, name, ContentKind.TEXT, Selection.all());
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
            String message = failure(file.dataset("/stacked" + ContentKind.LIST.path()));
            assertTrue(message.contains(copy.toString()), message);
            compare(file, "stacked", ContentKind.LIST, rows(0, 2 * ROWS));
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
            String message = failure(file.dataset("/stacked" + ContentKind.OBJECT.path()));
            assertTrue(message.contains(name(MISSING)), message);
            assertTrue(message.contains("expected=MISSING as on rank 0 actual=FOUND"), message);
            compare(file, "stacked", ContentKind.OBJECT, rows(0, 3 * ROWS));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void a_reader_sends_the_contents_of_its_chunks(int ranks) {
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.open(folder.resolve("all.h5"), world)) {
            compare(file, "stacked", ContentKind.TEXT, rows(0, ROWS));
            long moved = file.lastTransfer().orElseThrow().bytesMoved();
            // The source has 8 chunks, and each rank sends its share of them to all others.
            assertTrue(moved > 8 / world.size() * 6 * 16 * (world.size() - 1), "moved " + moved);
          }
        });
  }
}
