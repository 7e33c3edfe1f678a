package io.skerry.integration.fuzz;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.VirtualLayout;
import io.skerry.VirtualSource;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.integration.interop.virtual.CountedFilter;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Collective reads of virtual datasets whose mappings select points. HDF5 does not create such
 * mappings, so the test replaces the mappings of a file.
 */
class SharedPointsTest {
  private static final int ROWS = 8;
  private static final int COLUMNS = 6;
  private static final Shape SHAPE = Shape.of(ROWS, COLUMNS);
  private static final Selection ALL = Selection.at(0, 0).extent(ROWS, COLUMNS);
  private static final String REPLACED = "replaced.h5";

  @TempDir Path folder;

  private final int number = new Random().nextInt(1 << 16);
  private final CountedFilter.Counts counts = CountedFilter.counts(number);

  /** A mapping of points to points; both lists may contain points repeatedly. */
  private record Mapping(long[] virtual, long[] source) {
    static Mapping of(Random random) {
      int points = 1 + random.nextInt(36);
      return new Mapping(points(random, points), points(random, points));
    }

    private static long[] points(Random random, int count) {
      return random.ints(count, 0, ROWS * COLUMNS).asLongStream().toArray();
    }
  }

  /** The number of ranks, the dataset that is the source, and the seed of the mappings. */
  static Stream<Arguments> cases() {
    return IntStream.rangeClosed(1, 4)
        .boxed()
        .flatMap(ranks ->
            Stream.of("/rows", "/inner", "/outer")
                .flatMap(source ->
                    IntStream.range(0, 4).mapToObj(seed -> Arguments.of(ranks, source, seed))));
  }

  @BeforeEach
  void makes_sources() {
    // Another test may have had the same number.
    int unused = counts.takeDecoded();
    try (H5File file = H5File.create(folder.resolve("rows.h5"))) {
      file.createDataset(
              "rows",
              DatasetSpec.of(Datatype.I32, SHAPE).chunked(2, 3).filters(CountedFilter.spec(number)))
          .write(Selection.all(), IntStream.range(0, ROWS * COLUMNS).toArray());
      // The upper and the lower half of the rows are exchanged once, then exchanged again.
      swap(file, spec(), "inner", "/rows");
      swap(file, spec(), "outer", "/inner");
      file.createDataset("rows-text", texts().chunked(2, 3).filters(CountedFilter.spec(number)))
          .write(
              Selection.all(),
              IntStream.range(0, ROWS * COLUMNS)
                  .mapToObj(Integer::toString)
                  .toArray(String[]::new));
      swap(file, texts(), "inner-text", "/rows-text");
      swap(file, texts(), "outer-text", "/inner-text");
    }
    makeVirtual("virtual.h5", spec());
    makeVirtual("texts.h5", texts());
  }

  private void makeVirtual(String name, DatasetSpec spec) {
    VirtualLayout layout =
        VirtualLayout.builder().map(ALL, VirtualSource.of(REPLACED, "/rows").select(ALL)).build();
    try (H5File file = H5File.create(folder.resolve(name))) {
      file.createDataset("d", spec.virtual(layout));
    }
  }

  private static DatasetSpec texts() {
    return DatasetSpec.of(VariableLength.string(CharacterSet.UTF8), SHAPE);
  }

  private static DatasetSpec spec() {
    return DatasetSpec.of(Datatype.I32, SHAPE)
        .fillValue((byte) -1, (byte) -1, (byte) -1, (byte) -1);
  }

  private static void swap(H5File file, DatasetSpec spec, String name, String source) {
    VirtualLayout layout =
        VirtualLayout.builder()
            .map(half(0), VirtualSource.inSameFile(source).select(half(1)))
            .map(half(1), VirtualSource.inSameFile(source).select(half(0)))
            .build();
    file.createDataset(name, spec.virtual(layout));
  }

  private static Selection half(int which) {
    return Selection.at((long) which * ROWS / 2, 0).extent(ROWS / 2, COLUMNS);
  }

  private void replaceMappings(String name, String source, List<Mapping> mappings) {
    CraftedMappings block = CraftedMappings.of(0, mappings.size());
    for (Mapping mapping : mappings) {
      block
          .name("rows.h5")
          .name(source)
          .points(2, mapping.source.length, coordinates(mapping.source))
          .points(2, mapping.virtual.length, coordinates(mapping.virtual));
    }
    CraftedFile crafted = CraftedFile.of(folder.resolve(name));
    crafted.replaceLastHeapObject(crafted.only(REPLACED) - 9, block.bytes()).store();
  }

  private static long[] coordinates(long[] indices) {
    return Arrays.stream(indices)
        .flatMap(index -> Arrays.stream(new long[] {index / COLUMNS, index % COLUMNS}))
        .toArray();
  }

  /** Returns the row in the chunked dataset of an element of a source. */
  private static long stored(String source, long index) {
    long half = ROWS * COLUMNS / 2;
    return source.equals("/inner") ? (index + half) % (2 * half) : index;
  }

  private static int[] expected(String source, List<Mapping> mappings) {
    int[] values = new int[ROWS * COLUMNS];
    Arrays.fill(values, -1);
    for (Mapping mapping : mappings) {
      for (int i = 0; i < mapping.virtual.length; i++) {
        values[(int) mapping.virtual[i]] = (int) stored(source, mapping.source[i]);
      }
    }
    return values;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void each_chunk_is_decoded_once_and_each_element_has_the_value_of_its_last_point(
      int ranks, String source, int seed) {
    Random random = new Random(seed);
    List<Mapping> mappings = new ArrayList<>();
    for (int i = 0; i <= seed % 3; i++) {
      mappings.add(Mapping.of(random));
    }
    replaceMappings("virtual.h5", source, mappings);
    int[] expected = expected(source, mappings);
    int decoded = read(ranks, expected, _ -> Selection.all());
    if (ranks > 1) {
      assertEquals(neededChunks(expected), decoded);
    }
    decoded =
        read(
            ranks,
            expected,
            world ->
                world.rank() % 2 == 0
                    ? half(world.rank() / 2)
                    : Selection.points(2, coordinates(Mapping.of(random(seed, world)).virtual)));
    assertTrue(ranks == 1 || decoded <= neededChunks(expected), "decoded " + decoded);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void each_chunk_of_texts_is_decoded_once_and_each_text_is_that_of_its_last_point(
      int ranks, String source, int seed) {
    Random random = new Random(seed);
    List<Mapping> mappings = new ArrayList<>();
    for (int i = 0; i <= seed % 3; i++) {
      mappings.add(Mapping.of(random));
    }
    replaceMappings("texts.h5", source + "-text", mappings);
    int[] expected = expected(source, mappings);
    int decoded = readTexts(ranks, expected, _ -> Selection.all());
    if (ranks > 1) {
      assertEquals(neededChunks(expected), decoded);
    }
    decoded =
        readTexts(
            ranks,
            expected,
            world ->
                world.rank() % 2 == 0
                    ? half(world.rank() / 2)
                    : Selection.points(2, coordinates(Mapping.of(random(seed, world)).virtual)));
    assertTrue(ranks == 1 || decoded <= neededChunks(expected), "decoded " + decoded);
  }

  /** Reads texts on all ranks, compares them, and returns the number of decoded chunks. */
  private int readTexts(int ranks, int[] expected, Wanted wanted) {
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.open(folder.resolve("texts.h5"), world)) {
            Selection selection = wanted.on(world);
            long[] at = selection.toCoordinates(SHAPE);
            List<String> texts =
                IntStream.range(0, at.length / 2)
                    .map(i -> expected[(int) (at[2 * i] * COLUMNS + at[2 * i + 1])])
                    .mapToObj(value -> value < 0 ? "" : Integer.toString(value))
                    .toList();
            assertEquals(texts, file.dataset("d").readStrings(selection), selection::toString);
          }
        });
    return counts.takeDecoded();
  }

  private static Random random(int seed, Communicator world) {
    return new Random(31L * seed + world.rank());
  }

  /** Returns the elements that a rank reads. */
  @FunctionalInterface
  private interface Wanted {
    Selection on(Communicator world);
  }

  /** Reads elements on all ranks, compares them, and returns the number of decoded chunks. */
  private int read(int ranks, int[] expected, Wanted wanted) {
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.open(folder.resolve("virtual.h5"), world)) {
            Selection selection = wanted.on(world);
            long[] at = selection.toCoordinates(SHAPE);
            int[] values =
                IntStream.range(0, at.length / 2)
                    .map(i -> expected[(int) (at[2 * i] * COLUMNS + at[2 * i + 1])])
                    .toArray();
            Dataset dataset = file.dataset("d");
            assertArrayEquals(values, dataset.readInts(selection), selection::toString);
          }
        });
    return counts.takeDecoded();
  }

  private static int neededChunks(int[] values) {
    Set<Integer> chunks = new HashSet<>();
    Arrays.stream(values)
        .filter(value -> value >= 0)
        .forEach(value -> chunks.add(value / COLUMNS / 2 * 2 + value % COLUMNS / 3));
    return chunks.size();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_chunk_that_one_rank_cannot_decode_fails_on_all_ranks(int ranks, String source, int seed) {
    Mapping mapping = Mapping.of(new Random(seed));
    replaceMappings("virtual.h5", source, List.of(mapping));
    int[] expected = expected(source, List.of(mapping));
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.open(folder.resolve("virtual.h5"), world)) {
            Dataset dataset = file.dataset("d");
            if (world.rank() == 0) {
              counts.fail(0);
            }
            world.barrier();
            CollectiveException e =
                assertThrows(CollectiveException.class, () -> dataset.readInts(Selection.all()));
            String message = String.valueOf(e.getMessage());
            assertTrue(message.contains("a test makes it fail"), message);
            assertTrue(message.contains("rows.h5"), message);
            assertArrayEquals(expected, dataset.readInts(Selection.all()));
          }
        });
  }
}
