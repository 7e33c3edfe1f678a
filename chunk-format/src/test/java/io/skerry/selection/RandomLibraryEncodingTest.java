package io.skerry.selection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.PythonOracle;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.encoding.SelectedDataspace;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import io.skerry.exception.UnsupportedFeatureException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Creates random selections with the set operations of the HDF5 library and with those of Skerry,
 * and compares their encodings for each low version bound. The property {@code
 * skerry.selection.operations} determines the number of selections.
 */
class RandomLibraryEncodingTest {
  static final List<String> PYTHONS = PythonOracle.PYTHONS;

  private static final int SAMPLES =
      Integer.getInteger("skerry.selection.operations", 15_000) / 100;

  /** A selection with its encoding by the library. */
  private record Sample(
      SelectionEncoding encoding, Shape extent, Selection selection, byte[] bytes) {
    static Sample of(String line) {
      String[] part = line.split(" ", -1);
      SelectionEncoding encoding =
          switch (part[0]) {
            case "0" -> SelectionEncoding.LIBRARY_EARLIEST;
            case "2" -> SelectionEncoding.LIBRARY_V110;
            default -> SelectionEncoding.LIBRARY_V112;
          };
      return new Sample(
          encoding,
          Shape.of(numbers(part[1])),
          selection(part[2], part[3].split(";")),
          HexFormat.of().parseHex(part[4]));
    }

    private static Selection selection(String kind, String[] steps) {
      return switch (kind) {
        case "A" -> Selection.all();
        case "N" -> Selection.none();
        case "P" ->
            Selection.points(Arrays.stream(steps).map(Sample::numbers).toArray(long[][]::new));
        default -> {
          Selection selection = Selection.none();
          for (String step : steps) {
            String[] part = step.split(":");
            selection = combined(selection, part[0], slab(numbers(part[1])));
          }
          yield selection;
        }
      };
    }

    private static Selection combined(Selection current, String operation, Selection slab) {
      return switch (operation) {
        case "set" -> slab;
        case "or" -> current.union(slab);
        case "and" -> current.intersect(slab);
        case "xor" -> current.symmetricDifference(slab);
        case "notb" -> current.subtract(slab);
        case "nota" -> slab.subtract(current);
        default -> throw new IllegalArgumentException("operation=" + operation);
      };
    }

    private static Selection slab(long[] flat) {
      int rank = flat.length / 4;
      return Selection.at(Arrays.copyOfRange(flat, 0, rank))
          .stride(Arrays.copyOfRange(flat, rank, 2 * rank))
          .count(Arrays.copyOfRange(flat, 2 * rank, 3 * rank))
          .block(Arrays.copyOfRange(flat, 3 * rank, 4 * rank));
    }

    private static long[] numbers(String list) {
      return Arrays.stream(list.split(",")).mapToLong(Long::parseLong).toArray();
    }

    SelectedDataspace decoded() {
      ByteReader in = ByteReader.of(MemorySegment.ofArray(bytes), "selection");
      SelectedDataspace read = SelectionCodec.decode(in);
      assertEquals(0, in.remaining());
      return read;
    }
  }

  private static String script() throws IOException {
    try (InputStream in =
        RandomLibraryEncodingTest.class.getResourceAsStream("random-selections.py")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @FieldSource("PYTHONS")
  void encodings_equal_those_of_the_library_and_decode_to_its_selections(String python)
      throws IOException, InterruptedException {
    Optional<List<String>> lines =
        PythonOracle.runIn(python, script(), "20180601", Integer.toString(SAMPLES));
    Assumptions.assumeTrue(lines.isPresent(), "skipped: no h5py in " + python);
    assertTrue(lines.get().size() > SAMPLES / 2);
    for (String line : lines.get()) {
      Sample sample = Sample.of(line);
      assertEquals(
          new SelectedDataspace(
              Optional.of(sample.extent()), SelectionAlgebra.simplest(sample.selection())),
          sample.decoded(),
          line);
      ByteWriter out = ByteWriter.create();
      SelectionCodec.encode(sample.selection(), sample.extent(), sample.encoding(), out);
      assertEquals(
          HexFormat.of().formatHex(sample.bytes()), HexFormat.of().formatHex(out.toArray()), line);
    }
  }

  /** Prints the pairs of encodings that the library decodes to different selections. */
  private static final String DECODE =
      """
      import sys
      import h5py
      from h5py import h5s

      assert h5py.version.hdf5_version_tuple >= (1, 12)
      for line in open(sys.argv[1]):
          theirs, ours = (h5s.decode(bytes.fromhex(code)) for code in line.split())
          if theirs.encode() != ours.encode():
              print(line)
      print("done")
      """;

  @Test
  void each_of_our_encodings_is_read_by_the_library_as_the_same_selection(@TempDir Path folder)
      throws IOException, InterruptedException {
    String python = PYTHONS.getFirst();
    Optional<List<String>> lines =
        PythonOracle.runIn(python, script(), "1958", Integer.toString(SAMPLES / 5));
    Assumptions.assumeTrue(lines.isPresent(), "skipped: no h5py in " + python);
    List<String> pairs = new ArrayList<>();
    for (String line : lines.get()) {
      Sample sample = Sample.of(line);
      for (SelectionEncoding encoding : SelectionEncoding.values()) {
        ByteWriter out = ByteWriter.create();
        try {
          SelectionCodec.encode(sample.selection(), sample.extent(), encoding, out);
        } catch (UnsupportedFeatureException e) {
          assertEquals(SelectionEncoding.V1, encoding);
          continue;
        }
        HexFormat hex = HexFormat.of();
        pairs.add(hex.formatHex(sample.bytes()) + " " + hex.formatHex(out.toArray()));
      }
    }
    Path file = Files.write(folder.resolve("pairs"), pairs);
    Optional<List<String>> differing = PythonOracle.runIn(python, DECODE, file.toString());
    Assumptions.assumeTrue(differing.isPresent(), "skipped: h5py is older than these encodings");
    assertEquals(List.of("done"), differing.get());
  }
}
