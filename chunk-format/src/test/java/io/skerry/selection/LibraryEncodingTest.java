package io.skerry.selection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.encoding.SelectedDataspace;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Compares the encoding of every selection in {@code library-selections.txt} with that of the HDF5
 * library.
 */
class LibraryEncodingTest {
  private record Sample(
      SelectionEncoding encoding, Shape extent, Selection selection, String bytes) {}

  private static List<Sample> samples() throws IOException {
    try (InputStream in = LibraryEncodingTest.class.getResourceAsStream("library-selections.txt");
        BufferedReader text =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))) {
      return text.lines().filter(line -> !line.startsWith("#")).map(line -> sample(line)).toList();
    }
  }

  private static Sample sample(String line) {
    String[] part = line.split(" ", -1);
    SelectionEncoding encoding =
        switch (part[0]) {
          case "0" -> SelectionEncoding.LIBRARY_EARLIEST;
          case "2" -> SelectionEncoding.LIBRARY_V110;
          default -> SelectionEncoding.LIBRARY_V112;
        };
    Shape extent = Shape.of(numbers(part[1]));
    return new Sample(encoding, extent, selection(part[2], part[3], extent.rank()), part[4]);
  }

  private static Selection selection(String kind, String items, int rank) {
    return switch (kind) {
      case "A" -> Selection.all();
      case "N" -> Selection.none();
      case "P" ->
          Selection.points(
              Arrays.stream(items.split(";"))
                  .map(LibraryEncodingTest::numbers)
                  .toArray(long[][]::new));
      default -> {
        List<Selection> slabs =
            Arrays.stream(items.split(";")).map(item -> slab(numbers(item), rank)).toList();
        yield slabs.size() == 1 ? slabs.getFirst() : Selection.unionAll(slabs);
      }
    };
  }

  private static Selection slab(long[] flat, int rank) {
    return new Hyperslab(
        Arrays.copyOfRange(flat, 0, rank),
        Arrays.copyOfRange(flat, rank, 2 * rank),
        Arrays.copyOfRange(flat, 2 * rank, 3 * rank),
        Arrays.copyOfRange(flat, 3 * rank, 4 * rank));
  }

  private static long[] numbers(String list) {
    return Arrays.stream(list.split(",")).mapToLong(Long::parseLong).toArray();
  }

  private static ByteReader reader(String hex) {
    return ByteReader.of(MemorySegment.ofArray(HexFormat.of().parseHex(hex)), "test");
  }

  @Test
  void the_bytes_are_those_of_the_library_at_each_version_bound() throws IOException {
    List<Sample> samples = samples();
    assertTrue(samples.size() > 300);
    for (Sample sample : samples) {
      ByteWriter out = ByteWriter.create();
      SelectionCodec.encode(sample.selection(), sample.extent(), sample.encoding(), out);
      assertEquals(
          sample.bytes(), HexFormat.of().formatHex(out.toArray()), () -> sample.toString());
    }
  }

  @Test
  void the_bytes_of_the_library_decode_to_the_encoded_selection() throws IOException {
    for (Sample sample : samples()) {
      ByteReader in = reader(sample.bytes());
      SelectedDataspace read = SelectionCodec.decode(in);
      assertEquals(0, in.remaining());
      assertEquals(sample.extent(), read.extent().orElseThrow());
      assertEquals(
          SelectionAlgebra.simplest(sample.selection()), read.selection(), sample::toString);
    }
  }

  @Test
  void the_bytes_of_the_library_decode_to_the_selected_elements() throws IOException {
    for (Sample sample : samples()) {
      if (sample.selection().count(sample.extent()) > 1_000_000) {
        continue; // its runs would take too much memory
      }
      long[] sizes = sample.extent().extent();
      RunSet expected = SelectionSets.runs(sample.selection(), sizes);
      assertEquals(
          expected, SelectionCodec.decodeSet(reader(sample.bytes()), sizes), sample::toString);
    }
  }
}
