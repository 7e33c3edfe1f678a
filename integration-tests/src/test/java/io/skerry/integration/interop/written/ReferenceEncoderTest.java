package io.skerry.integration.interop.written;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import io.skerry.integration.interop.written.EncodedFamily.Drawn;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.testkit.oracle.ProcessResult;
import io.skerry.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares sparse datasets, byte for byte, with the output of {@code structured_encoder.py} for the
 * same elements: every index, with and without filters, and every family of types.
 */
class ReferenceEncoderTest {
  @TempDir Path folder;

  /** A kind of chunk index, and a shape that requires it. */
  private enum Index {
    SINGLE(Shape.of(12, 15), 40, 12, 15),
    FIXED(Shape.of(new long[] {23, 17}, new long[] {30, 17}), 60, 5, 4),
    FIXED_IN_PAGES(Shape.of(2100, 3), 300, 2, 1),
    EXTENSIBLE(Shape.of(19, 30).unlimited(1), 60, 4, 5),
    EXTENSIBLE_WITH_SUPER_BLOCKS(Shape.of(2000, 5).unlimited(0), 300, 2, 2),
    EXTENSIBLE_IN_PAGES(Shape.of(140_000).unlimited(0), 300, 1),
    TREE_OF_ONE_LEAF(Shape.of(19, 17, 8).unlimited(0).unlimited(2), 40, 4, 5, 3),
    TREE_OF_TWO_LEVELS(Shape.of(60, 70).unlimited(0).unlimited(1), 600, 2, 3),
    TREE_OF_THREE_LEVELS(Shape.of(300, 400).unlimited(0).unlimited(1), 4000, 2, 2);

    private final Shape shape;
    private final int points;
    private final long[] chunk;

    Index(Shape shape, int points, long... chunk) {
      this.shape = shape;
      this.points = points;
      this.chunk = chunk;
    }

    /** Returns all families; for large indexes, one family per encoding, with or without a heap. */
    private List<EncodedFamily> families(SelectionEncoding encoding) {
      if (points < 1000 && this != EXTENSIBLE_IN_PAGES) {
        return List.of(EncodedFamily.values());
      }
      return List.of(encoding == SelectionEncoding.V1 ? EncodedFamily.WORDS : EncodedFamily.TEXTS);
    }
  }

  /** The kind of filter pipeline; see {@link #pipelines}. */
  private enum Filtering {
    NONE,
    DEFLATED,
    BY_SECTION
  }

  @ParameterizedTest
  @CsvSource({
    "SINGLE, NONE",
    "SINGLE, DEFLATED",
    "SINGLE, BY_SECTION",
    "FIXED, NONE",
    "FIXED, DEFLATED",
    "FIXED, BY_SECTION",
    "FIXED_IN_PAGES, NONE",
    "FIXED_IN_PAGES, DEFLATED",
    "EXTENSIBLE, NONE",
    "EXTENSIBLE, DEFLATED",
    "EXTENSIBLE, BY_SECTION",
    "EXTENSIBLE_WITH_SUPER_BLOCKS, NONE",
    "EXTENSIBLE_WITH_SUPER_BLOCKS, DEFLATED",
    "EXTENSIBLE_IN_PAGES, NONE",
    "EXTENSIBLE_IN_PAGES, BY_SECTION",
    "TREE_OF_ONE_LEAF, NONE",
    "TREE_OF_ONE_LEAF, DEFLATED",
    "TREE_OF_ONE_LEAF, BY_SECTION",
    "TREE_OF_TWO_LEVELS, NONE",
    "TREE_OF_TWO_LEVELS, DEFLATED",
    "TREE_OF_THREE_LEVELS, NONE",
    "TREE_OF_THREE_LEVELS, BY_SECTION",
  })
  void a_second_encoder_makes_the_same_bytes(Index index, Filtering filtering) throws Exception {
    // A Python with h5py also has numpy, and need not start for each case.
    Optional<Oracle> numpy = Oracle.h5py().stream().findFirst().or(Oracle::numpy);
    assumeTrue(numpy.isPresent(), "skipped: no Python with numpy");
    Random random = new Random(700 + 10 * index.ordinal() + filtering.ordinal());
    Path path = folder.resolve("sparse.h5");
    List<String> descriptions = new ArrayList<>();
    try (H5File file = H5File.create(path)) {
      for (SelectionEncoding encoding : List.of(SelectionEncoding.V1, SelectionEncoding.SMALLEST)) {
        for (EncodedFamily family : index.families(encoding)) {
          descriptions.add(write(file, index, filtering, encoding, family, random));
        }
      }
    }
    Path described = Files.write(folder.resolve("descriptions"), descriptions);
    Path unused = Oracle.copyScript(folder, "structured_encoder.py");
    ProcessResult ran =
        numpy.orElseThrow().script(folder, "check_encoding.py", Oracle.tools(), path, described);
    System.out.println(index + " " + filtering + ": " + ran.out().lines().findFirst().orElse(""));
    assertTrue(
        ran.out().matches("(?s)compared " + descriptions.size() + " datasets, .* wrong 0\n.*"),
        ran.out() + ran.err());
  }

  /** Writes one dataset and describes it to the encoder. */
  private static String write(
      H5File file,
      Index index,
      Filtering filtering,
      SelectionEncoding encoding,
      EncodedFamily family,
      Random random)
      throws IOException {
    int sections = family.name().matches("WORDS|OPAQUE") ? 2 : 3;
    Map<Integer, List<FilterSpec>> filters = pipelines(filtering, sections);
    DatasetSpec spec =
        DatasetSpec.of(family.type(), index.shape).sparse(index.chunk).encoding(encoding);
    for (Map.Entry<Integer, List<FilterSpec>> section : filters.entrySet()) {
      spec = spec.sectionFilters(section.getKey(), section.getValue().toArray(FilterSpec[]::new));
    }
    String path = "/" + (encoding + "_" + family).toLowerCase(Locale.ROOT);
    Map<List<Long>, Drawn> elements = draw(index, family, random);
    List<Value> values = elements.values().stream().map(Drawn::value).toList();
    long[][] points =
        elements.keySet().stream()
            .map(at -> at.stream().mapToLong(Long::longValue).toArray())
            .toArray(long[][]::new);
    Dataset dataset = file.createDataset(path, spec);
    dataset.writeValues(Selection.points(points), values);
    return """
    {"path": "%s", "shape": %s, "maxshape": %s, "chunk": %s, "type": %s, "versions": "%s", \
    "filters": %s, "coords": %s, "values": %s}\
    """
        .formatted(
            path,
            Arrays.toString(index.shape.extent()),
            maximum(index.shape),
            Arrays.toString(index.chunk),
            family.json(),
            encoding,
            json(filters),
            elements.keySet(),
            elements.values().stream().map(Drawn::json).toList());
  }

  /** Draws random points, a box, and all elements of one chunk. */
  private static Map<List<Long>, Drawn> draw(Index index, EncodedFamily family, Random random) {
    Map<List<Long>, Drawn> elements =
        new TreeMap<>((a, b) ->
            Arrays.compare(
                a.stream().mapToLong(x -> x).toArray(), b.stream().mapToLong(x -> x).toArray()));
    List<Selection> parts = new ArrayList<>();
    long[] extent = index.shape.extent();
    for (int i = 0; i < index.points; i++) {
      parts.add(Selection.at(Arrays.stream(extent).map(random::nextLong).toArray()));
    }
    if (index != Index.EXTENSIBLE_IN_PAGES) {
      parts.add(
          DatasetScript.box(
              Shape.of(Arrays.stream(extent).map(n -> Math.min(n, 20)).toArray()), random));
    }
    if (index != Index.SINGLE) {
      parts.add(Selection.at(index.chunk).extent(index.chunk));
    }
    Shape shape = Shape.of(extent);
    long[] flat = Selection.unionAll(parts).toCoordinates(shape);
    int rank = extent.length;
    for (int at = 0; at < flat.length; at += rank) {
      List<Long> point = LongStream.of(flat).skip(at).limit(rank).boxed().toList();
      elements.put(point, family.draw(random));
    }
    return elements;
  }

  private static Map<Integer, List<FilterSpec>> pipelines(Filtering filtering, int sections) {
    FilterSpec deflate = Filters.deflate(6);
    return switch (filtering) {
      case NONE -> Map.of();
      case DEFLATED ->
          IntStream.range(0, sections)
              .boxed()
              .collect(
                  Collectors.toMap(
                      i -> i,
                      i -> List.of(Filters.shuffle(2), deflate),
                      (a, b) -> a,
                      TreeMap::new));
      case BY_SECTION ->
          new TreeMap<>(
              Map.of(
                  0,
                  List.of(deflate.withFlag(FilterSpec.Flag.MANDATORY)),
                  sections - 1,
                  List.of(Filters.shuffle(3), deflate, Filters.fletcher32())));
    };
  }

  private static String json(Map<Integer, List<FilterSpec>> filters) {
    return filters.entrySet().stream()
        .map(section ->
            "\"%d\": %s"
                .formatted(
                    section.getKey(),
                    section.getValue().stream()
                        .map(filter ->
                            "[%d, %d, %s]"
                                .formatted(
                                    filter.id(),
                                    filter.flag() == FilterSpec.Flag.OPTIONAL ? 1 : 0,
                                    Arrays.toString(filter.clientData())))
                        .toList()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String maximum(Shape shape) {
    return Arrays.stream(shape.maximum())
        .mapToObj(n -> n == Shape.UNLIMITED ? "null" : Long.toString(n))
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
