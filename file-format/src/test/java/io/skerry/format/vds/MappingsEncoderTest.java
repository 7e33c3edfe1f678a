package io.skerry.format.vds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.FormatBounds;
import io.skerry.format.block.Widths;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares encoded mappings with bytes written by HDF5 2.0.0. */
class MappingsEncoderTest {
  private static VirtualMapping mapping(String file, String dataset, long source, long virtual) {
    return new VirtualMapping(
        new NamePattern(file), new NamePattern(dataset), block(source), block(virtual));
  }

  private static Selection block(long start) {
    return Selection.at(start).count(1).block(3);
  }

  private static VirtualMappings longNames() {
    return new VirtualMappings(
        List.of(
            mapping("seven-c", ".", 1, 0),
            mapping(".", "a-longer-dataset-name", 0, 3),
            mapping("seven-c", "a-longer-dataset-name", 0, 6)));
  }

  private static String hex(MemorySegment bytes) {
    return HexFormat.of().formatHex(bytes.toArray(ValueLayout.JAVA_BYTE));
  }

  private static String encoded(VirtualMappings mappings, FormatBounds bounds) {
    return hex(MappingsEncoder.encode(mappings, bounds, Widths.EIGHT));
  }

  @Test
  void the_name_of_the_same_file_is_left_out() {
    assertEquals(
        "01010000000000000004640002000000030000000102010000000000010001000300"
            + "02000000030000000102010000000000010001000300996ba26a",
        encoded(new VirtualMappings(List.of(mapping(".", "d", 0, 0))), FormatBounds.V200));
  }

  @Test
  void repeated_names_are_encoded_as_the_index_of_their_first_entry() {
    assertEquals(
        "0103000000000000000073"
            + "6576656e2d63002e000200000003000000010201000000010001000100030002000000"
            + "03000000010201000000000001000100030004612d6c6f6e6765722d64617461736574"
            + "2d6e616d6500020000000300000001020100000000000100010003000200000003000000"
            + "010201000000030001000100030003000000000000000001000000000000000200000003"
            + "000000010201000000000001000100030002000000030000000102010000000600010001"
            + "0003005a6adb74",
        encoded(longNames(), FormatBounds.V200));
  }

  @Test
  void names_are_repeated_where_sharing_them_takes_more_space() {
    VirtualMappings mappings =
        new VirtualMappings(List.of(mapping("6-char", "d", 0, 0), mapping("6-char", "d", 0, 3)));
    MemorySegment bytes = MappingsEncoder.encode(mappings, FormatBounds.V200, Widths.EIGHT);
    assertEquals(0, bytes.get(ValueLayout.JAVA_BYTE, 0));
    assertEquals(mappings, VirtualMappings.decode(bytes, Widths.EIGHT));
  }

  @ParameterizedTest
  @CsvSource({"6, 0", "7, 0", "8, 0", "9, 1", "10, 1"})
  void version_one_is_chosen_if_it_is_not_larger(int letters, int version) {
    String name = "n".repeat(letters);
    VirtualMappings mappings =
        new VirtualMappings(List.of(mapping(name, "d", 0, 0), mapping(name, "d", 0, 3)));
    assertEquals(
        version,
        MappingsEncoder.encode(mappings, FormatBounds.V200, Widths.EIGHT)
            .get(ValueLayout.JAVA_BYTE, 0));
  }

  @ParameterizedTest
  @CsvSource({"EARLIEST, 2", "EARLIEST, 4", "V110, 8", "V200, 2", "V200, 4", "V200, 8"})
  void mappings_are_read_back_in_every_version_and_width(FormatBounds bounds, int width) {
    Widths widths = new Widths(8, width);
    MemorySegment bytes = MappingsEncoder.encode(longNames(), bounds, widths);
    assertEquals(bounds == FormatBounds.V200 ? 1 : 0, bytes.get(ValueLayout.JAVA_BYTE, 0));
    VirtualMappings decoded = VirtualMappings.decode(bytes, widths);
    assertEquals(hex(bytes), hex(MappingsEncoder.encode(decoded, bounds, widths)));
    assertEquals(3, decoded.entries().size());
    for (int i = 0; i < 3; i++) {
      assertEquals(longNames().entries().get(i).file(), decoded.entries().get(i).file());
      assertEquals(longNames().entries().get(i).dataset(), decoded.entries().get(i).dataset());
    }
  }

  @Test
  void a_list_of_points_is_refused() {
    VirtualMapping points =
        new VirtualMapping(
            new NamePattern("f"),
            new NamePattern("d"),
            Selection.points(new long[][] {{1}, {5}}),
            block(0));
    assertThrows(
        UnsupportedFeatureException.class,
        () -> encoded(new VirtualMappings(List.of(points)), FormatBounds.V200));
  }
}
