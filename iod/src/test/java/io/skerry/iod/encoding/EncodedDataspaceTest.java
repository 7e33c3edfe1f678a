package io.skerry.iod.encoding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EncodedDataspaceTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final String BOX_EXTENT =
      "0100082800000001020100000000000a0000000000000014000000000000000a000000000000001400000000000000";

  static EncodedDataspace decode(byte[] bytes) {
    return EncodedDataspace.decode(MemorySegment.ofArray(bytes));
  }

  /** Checks both directions. */
  private static void golden(EncodedDataspace space, SelectionEncoding encoding, String hex) {
    assertEquals(hex, HEX.formatHex(space.encode(encoding)));
    assertEquals(space, decode(HEX.parseHex(hex)));
  }

  private static EncodedDataspace inBox(Selection selection) {
    return new EncodedDataspace(Optional.of(Shape.of(10, 20)), selection);
  }

  @Test
  void extents_have_the_bytes_of_hdf5_1_10() {
    SelectionEncoding earliest = SelectionEncoding.LIBRARY_EARLIEST;
    golden(
        EncodedDataspace.of(Shape.scalar()),
        earliest,
        "01000808000000010000000000000003000000010000000000000000000000");
    golden(
        EncodedDataspace.withoutElements(),
        earliest,
        "010008040000000200000203000000010000000000000000000000");
    golden(
        EncodedDataspace.of(Shape.of(new long[] {4, 5}, new long[] {10, Shape.UNLIMITED})),
        earliest,
        "0100082800000001020100000000000400000000000000050000000000000"
            + "00a00000000000000ffffffffffffffff03000000010000000000000000000000");
  }

  @Test
  void selections_have_the_bytes_of_the_library() {
    golden(
        inBox(Selection.at(1, 2).extent(3, 4)),
        SelectionEncoding.LIBRARY_EARLIEST,
        BOX_EXTENT
            + "020000000100000000000000180000000200000001000000"
            + "01000000020000000300000005000000");
    golden(
        inBox(Selection.points(new long[][] {{0, 0}, {9, 19}, {4, 7}})),
        SelectionEncoding.LIBRARY_V112,
        BOX_EXTENT + "010000000200000002020000000300000000000900130004000700");
  }

  @Test
  void random_dataspaces_are_decoded_as_they_were_encoded() {
    RandomDataspaces spaces = new RandomDataspaces(new Random(1));
    for (int i = 0; i < 5_000; i++) {
      EncodedDataspace space = spaces.next();
      for (SelectionEncoding encoding : SelectionEncoding.values()) {
        EncodedDataspace decoded = decode(space.encode(encoding));
        assertEquals(space.extent(), decoded.extent());
        Shape extent = space.extent().orElseGet(() -> Shape.of(0));
        if (extent.rank() > 0) {
          assertEquals(
              coordinates(space, extent), coordinates(decoded, extent), space + " " + encoding);
        }
      }
    }
  }

  private static List<Long> coordinates(EncodedDataspace space, Shape extent) {
    List<Long> coordinates = new ArrayList<>();
    for (long coordinate : space.selection().toCoordinates(extent)) {
      coordinates.add(coordinate);
    }
    return coordinates;
  }

  @Test
  void an_unlimited_selection_keeps_its_limits() {
    EncodedDataspace space =
        new EncodedDataspace(
            Optional.of(Shape.of(10, 20).unlimited(0)),
            Selection.at(1, 2).stride(4, 1).count(Shape.UNLIMITED, 1).block(2, 4));
    assertEquals(space, decode(space.encode(SelectionEncoding.LIBRARY_EARLIEST)));
    assertThrows(UnsupportedFeatureException.class, () -> space.encode(SelectionEncoding.V1));
  }

  @Test
  void a_selection_outside_the_extent_is_refused_except_in_a_mapping() {
    EncodedDataspace outside =
        new EncodedDataspace(Optional.of(Shape.of(0)), Selection.at(3).extent(6));
    assertThrows(
        IllegalArgumentException.class, () -> outside.encode(SelectionEncoding.LIBRARY_EARLIEST));
    ByteWriter out = ByteWriter.create();
    outside.encodePart(SelectionEncoding.LIBRARY_EARLIEST, out);
    FormatException e = assertThrows(FormatException.class, () -> decode(out.toArray()));
    assertTrue(e.getMessage().contains("dimension 0"), e.getMessage());
    assertEquals(outside, EncodedDataspace.decodePart(ByteReader.of(out.written(), "mapping")));
  }

  @Test
  void ranks_of_extent_and_selection_must_agree() {
    assertThrows(IllegalArgumentException.class, () -> inBox(Selection.at(1)));
    byte[] bytes = inBox(Selection.at(1, 2)).encode(SelectionEncoding.LIBRARY_EARLIEST);
    byte[] scalar = EncodedDataspace.of(Shape.scalar()).encode(SelectionEncoding.V1);
    byte[] mixed =
        HEX.parseHex(HEX.formatHex(scalar, 0, 15) + HEX.formatHex(bytes, 47, bytes.length));
    FormatException e = assertThrows(FormatException.class, () -> decode(mixed));
    assertTrue(e.getMessage().contains("rank of the selection"), e.getMessage());
  }

  @Test
  void damaged_dataspaces_give_a_result_or_a_named_error() {
    RandomDataspaces spaces = new RandomDataspaces(new Random(2));
    List<byte[]> samples = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      EncodedDataspace space = spaces.next();
      for (SelectionEncoding encoding : SelectionEncoding.values()) {
        samples.add(space.encode(encoding));
      }
    }
    Mutations.check(
        3,
        samples,
        bytes -> {
          EncodedDataspace space = EncodedDataspace.decode(bytes);
          assertEquals(space, decode(space.encode(SelectionEncoding.SMALLEST)));
        });
  }
}
