package io.skerry.chunk.dataspace.encoding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.BoxCover;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.RunSetSpans;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.selection.Box;
import io.skerry.selection.DetectorSpots;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.SelectionSamples;
import io.skerry.selection.SelectionSets;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SelectionCodecTest {
  private static final long[] FIVE = {5};

  private static final String PREFIX =
      "01000818000000" + "0101010000000000" + "0500000000000000" + "0500000000000000";

  private static ByteReader reader(byte[] bytes) {
    return ByteReader.of(MemorySegment.ofArray(bytes), "section 0");
  }

  private static ByteReader reader(String hex) {
    return reader(HexFormat.of().parseHex(hex.replace(" ", "")));
  }

  private static byte[] set(RunSet elements, long[] sizes, SelectionEncoding encoding) {
    ByteWriter out = ByteWriter.create();
    SelectionCodec.encodeSet(
        elements, sizes, encoding, SelectionCodec.SectionStorage.COMPRESSED, out);
    return out.toArray();
  }

  private static void assertVersionOne(String selection, long... indices) {
    RunSet elements = RunSet.ofIndices(indices);
    String expected = PREFIX + selection.replace(" ", "");
    assertEquals(expected, HexFormat.of().formatHex(set(elements, FIVE, SelectionEncoding.V1)));
    assertEquals(elements, SelectionCodec.decodeSet(reader(expected), FIVE));
  }

  @Test
  void version_one_sets_are_the_bytes_that_the_library_writes() {
    assertVersionOne(
        "02000000 01000000 00000000 10000000 01000000 01000000 01000000 03000000", 1, 2, 3);
    assertVersionOne("00000000 01000000 00000000 00000000");
    assertVersionOne(
        "02000000 01000000 00000000 18000000 01000000 02000000 00000000 00000000 03000000 04000000",
        0,
        3,
        4);
    assertVersionOne("03000000 01000000 00000000 00000000", 0, 1, 2, 3, 4);
  }

  @Test
  void points_keep_their_order_in_both_versions() {
    Selection points = Selection.points(new long[][] {{4}, {1}, {4}});
    for (SelectionEncoding encoding : SelectionEncoding.values()) {
      ByteWriter out = ByteWriter.create();
      SelectionCodec.encode(points, Shape.of(5), encoding, out);
      SelectedDataspace read = SelectionCodec.decode(reader(out.toArray()));
      assertEquals(new SelectedDataspace(Optional.of(Shape.of(5)), points), read);
    }
    ByteWriter out = ByteWriter.create();
    Selection ordered = Selection.points(new long[][] {{1}, {4}});
    SelectionCodec.encode(ordered, Shape.of(5), SelectionEncoding.V1, out);
    assertEquals(
        PREFIX + "0100000001000000000000001000000001000000020000000100000004000000",
        HexFormat.of().formatHex(out.toArray()));
  }

  @Test
  void a_pattern_beyond_32_bits_is_version_two_for_the_library_and_refused_in_version_one() {
    Shape extent = Shape.of(1L << 40);
    Selection far = Selection.at((1L << 32) + 5).extent(7);
    ByteWriter out = ByteWriter.create();
    SelectionCodec.encodeSelection(far, SelectionEncoding.LIBRARY_EARLIEST, out);
    assertEquals(
        "0200000002000000012400000001000000"
            + "0500000001000000010000000000000001000000000000000700000000000000",
        HexFormat.of().formatHex(out.toArray()));
    assertThrows(
        UnsupportedFeatureException.class,
        () -> SelectionCodec.encode(far, extent, SelectionEncoding.V1, ByteWriter.create()));
  }

  @Test
  void every_encoding_of_a_set_reads_back_as_the_set() {
    SelectionSamples samples = new SelectionSamples(21);
    for (int round = 0; round < 4000; round++) {
      Shape extent = samples.extent();
      long[] sizes = extent.extent();
      RunSet elements = SelectionSets.runs(samples.any(extent), sizes);
      long smallest = Long.MAX_VALUE;
      for (SelectionEncoding encoding : SelectionEncoding.values()) {
        byte[] bytes = set(elements, sizes, encoding);
        ByteReader in = reader(bytes);
        assertEquals(elements, SelectionCodec.decodeSet(in, sizes, elements.count()));
        assertEquals(0, in.remaining());
        Selection selection = SelectionCodec.decode(reader(bytes)).selection();
        assertEquals(elements, SelectionSets.runs(selection, sizes));
        if (encoding == SelectionEncoding.SMALLEST) {
          smallest = bytes.length;
        }
        assertTrue(smallest <= bytes.length, encoding + " is smaller for " + selection);
      }
    }
  }

  @Test
  void every_encoding_of_a_selection_reads_back_as_the_selection() {
    SelectionSamples samples = new SelectionSamples(22);
    for (int round = 0; round < 4000; round++) {
      Shape extent = samples.extent();
      Selection selection = samples.any(extent);
      for (SelectionEncoding encoding : SelectionEncoding.values()) {
        ByteWriter out = ByteWriter.create();
        SelectionCodec.encode(selection, extent, encoding, out);
        SelectedDataspace read = SelectionCodec.decode(reader(out.toArray()));
        assertEquals(selection, read.selection());
        assertEquals(extent, read.extent().orElseThrow());
      }
    }
  }

  @Test
  void a_large_chunk_with_thousands_of_runs_reads_back() {
    long[] sizes = {1, 1024, 1024};
    RunSet spots = SelectionSets.runs(DetectorSpots.round(new Random(23), 75), sizes);
    RunSet noise = SelectionSets.runs(DetectorSpots.singles(new Random(24), 200_000), sizes);
    for (RunSet elements : List.of(spots, noise, noise.union(spots))) {
      for (SelectionEncoding encoding : SelectionEncoding.values()) {
        byte[] bytes = set(elements, sizes, encoding);
        assertEquals(elements, SelectionCodec.decodeSet(reader(bytes), sizes));
      }
    }
  }

  @Test
  void a_run_that_wraps_row_ends_becomes_boxes() {
    long[] sizes = {2, 4, 10};
    RunSet wrapping = RunSet.range(7, 73);
    assertEquals(
        wrapping,
        SelectionCodec.decodeSet(reader(set(wrapping, sizes, SelectionEncoding.SMALLEST)), sizes));
    List<Box> boxes = SelectionSets.of(wrapping, sizes).boxes(Shape.of(sizes));
    assertEquals(4, boxes.size());
  }

  @Test
  void block_records_have_the_width_of_the_chunk() {
    long[] frame = {1, 1024, 1024};
    assertEquals(12, SelectionCodec.blockRecordBytes(frame, SelectionEncoding.SMALLEST));
    assertEquals(24, SelectionCodec.blockRecordBytes(frame, SelectionEncoding.V1));
    assertEquals(
        8, SelectionCodec.blockRecordBytes(new long[] {1 << 20}, SelectionEncoding.SMALLEST));
    assertEquals(
        4, SelectionCodec.blockRecordBytes(new long[] {1 << 16}, SelectionEncoding.SMALLEST));
    RunSet two = RunSet.ofIndices(5, 2000, 2001, 9000);
    int more =
        set(two.union(RunSet.range(500_000, 500_003)), frame, SelectionEncoding.SMALLEST).length;
    assertEquals(12, more - set(two, frame, SelectionEncoding.SMALLEST).length);
  }

  @Test
  void the_extent_may_be_scalar_or_null_or_in_the_later_version() {
    SelectedDataspace scalar =
        SelectionCodec.decode(
            reader("01000808000000 0100000000000000 03000000010000000000000000000000"));
    assertEquals(new SelectedDataspace(Optional.of(Shape.scalar()), Selection.all()), scalar);
    SelectedDataspace none =
        SelectionCodec.decode(reader("01000804000000 02000002 00000000010000000000000000000000"));
    assertEquals(new SelectedDataspace(Optional.empty(), Selection.none()), none);
    SelectedDataspace simple =
        SelectionCodec.decode(
            reader("0100080c000000 02010001 0500000000000000 03000000010000000000000000000000"));
    assertEquals(Shape.of(5), simple.extent().orElseThrow());
    ByteWriter out = ByteWriter.create();
    SelectionCodec.encode(Selection.all(), Shape.scalar(), SelectionEncoding.SMALLEST, out);
    assertEquals(scalar, SelectionCodec.decode(reader(out.toArray())));
  }

  @Test
  void overlapping_and_unordered_blocks_form_a_union() {
    String blocks =
        PREFIX
            + "02000000 01000000 00000000 20000000 01000000 03000000"
            + "03000000 04000000 00000000 01000000 01000000 03000000";
    assertEquals(RunSet.range(0, 5), SelectionCodec.decodeSet(reader(blocks), FIVE));
    assertEquals(Selection.at(0).extent(5), SelectionCodec.decode(reader(blocks)).selection());
  }

  private static void assertRefused(String selection) {
    String bytes = PREFIX + selection;
    assertThrows(FormatException.class, () -> SelectionCodec.decodeSet(reader(bytes), FIVE));
    assertThrows(FormatException.class, () -> SelectionCodec.decode(reader(bytes)));
  }

  @Test
  void bytes_of_no_valid_selection_are_refused() {
    assertRefused("04000000 01000000 00000000 00000000"); // type
    assertRefused("03000000 02000000 00000000 00000000"); // version
    assertRefused("02000000 04000000 00000000 10000000 01000000 01000000 01000000 03000000");
    assertRefused("02000000 01000000 00000000 10000000 01000000 01000000 01000000 05000000");
    assertRefused("02000000 01000000 00000000 10000000 01000000 01000000 03000000 01000000");
    assertRefused("02000000 01000000 00000000 10000000 01000000 ffffffff 01000000 03000000");
    assertRefused("02000000 01000000 00000000 11000000 01000000 01000000 01000000 03000000");
    assertRefused(
        "02000000 01000000 00000000 18000000 02000000 01000000"
            + "01000000 01000000 01000000 03000000"); // rank
    assertRefused("02000000 01000000 00000000 10000000 00000000 01000000"); // rank 0
    assertRefused("01000000 02000000 02 01000000 0100 0500"); // point outside
    assertRefused("01000000 02000000 03 01000000 010000 050000"); // width
    assertRefused("01000000 02000000 08 01000000 0000000000000080"); // count overflow
    assertRefused("02000000 03000000 02 02 01000000 0000 0100 0100 0100"); // flags
    assertRefused("02000000 03000000 01 02 01000000 0000 0000 0100 0100"); // stride 0
    assertRefused("02000000 03000000 01 02 01000000 0000 0100 0200 0200"); // stride < block
    assertRefused("02000000 03000000 01 02 01000000 0000 0100 ffff ffff"); // both unlimited
    assertRefused("02000000 03000000 01 02 01000000 0400 0100 0100 0200"); // outside
    assertRefused(
        "02000000 02000000 01 24000000 01000000 0100000000000000 0200000000000000"
            + "ffffffffffffff7f 0100000000000000"); // beyond 63 bits
    assertRefused(
        "02000000 02000000 01 24000000 01000000 0000000000000080 0100000000000000"
            + "0100000000000000 0100000000000000");
  }

  @Test
  void an_extent_other_than_the_chunk_is_refused() {
    byte[] bytes = set(RunSet.range(1, 3), FIVE, SelectionEncoding.V1);
    assertThrows(
        FormatException.class, () -> SelectionCodec.decodeSet(reader(bytes), new long[] {6}));
    assertThrows(
        FormatException.class, () -> SelectionCodec.decodeSet(reader(bytes), new long[] {1, 5}));
    assertThrows(
        FormatException.class, () -> SelectionCodec.decodeSet(reader("010108" + "18"), FIVE));
  }

  @Test
  void a_pattern_of_a_few_bytes_is_limited_to_the_possible_elements() {
    long[] sizes = {60_000, 60_000};
    Selection comb = Selection.at(0, 0).stride(2, 2).count(30_000, 30_000).block(1, 1);
    ByteWriter out = ByteWriter.create();
    SelectionCodec.encode(comb, Shape.of(sizes), SelectionEncoding.SMALLEST, out);
    byte[] bytes = out.toArray();
    var refused =
        assertThrows(
            FormatException.class, () -> SelectionCodec.decodeSet(reader(bytes), sizes, 1000));
    assertEquals("900000000", refused.actual());
    assertThrows(
        FormatException.class,
        () -> SelectionCodec.decodeSet(reader(manyTallBlocks(sizes)), sizes, 1000));
  }

  @Test
  void overlapping_unlimited_blocks_are_written_as_one_unlimited_block() {
    Hyperslab overlapping = Selection.at(2).stride(2).count(Shape.UNLIMITED).block(3);
    Hyperslab touching = Selection.at(2).stride(3).count(Shape.UNLIMITED).block(3);
    for (SelectionEncoding encoding :
        List.of(SelectionEncoding.SMALLEST, SelectionEncoding.LIBRARY_EARLIEST)) {
      ByteWriter out = ByteWriter.create();
      SelectionCodec.encode(overlapping, Shape.of(9), encoding, out);
      SelectionCodec.encode(touching, Shape.of(9), encoding, out);
      ByteReader in = reader(out.toArray());
      assertEquals(Selection.at(2).block(Shape.UNLIMITED), SelectionCodec.decode(in).selection());
      assertEquals(touching, SelectionCodec.decode(in).selection(), "a virtual layout counts them");
    }
  }

  @Test
  void more_than_one_unlimited_dimension_is_neither_written_nor_read() {
    Hyperslab quarter = Selection.at(2, 3).block(Shape.UNLIMITED, Shape.UNLIMITED);
    assertThrows(
        UnsupportedFeatureException.class,
        () ->
            SelectionCodec.encodeSelection(
                quarter, SelectionEncoding.SMALLEST, ByteWriter.create()));
    String twice = "0000 0100 0100 ffff".repeat(2);
    assertThrows(
        FormatException.class,
        () -> SelectionCodec.decodeSelection(reader("02000000 03000000 01 02 02000000" + twice)));
  }

  private static byte[] manyTallBlocks(long[] sizes) {
    ByteWriter out = ByteWriter.create();
    ExtentCodec.encode(Shape.of(sizes), out);
    int n = 2000;
    out.u32(2).u32(3).u8(0).u8(2).u32(2).u16(n);
    for (int i = 0; i < n; i++) {
      out.u16(0).u16(2 * i).u16(59_999).u16(2 * i);
    }
    return out.toArray();
  }

  @Test
  void damaged_bytes_cause_a_format_exception_or_give_a_valid_set() {
    SelectionSamples samples = new SelectionSamples(25);
    int refused = 0;
    for (int round = 0; round < 20_000; round++) {
      Shape extent = samples.extent();
      long[] sizes = extent.extent();
      SelectionEncoding[] encodings = SelectionEncoding.values();
      ByteWriter out = ByteWriter.create();
      SelectionCodec.encode(
          samples.any(extent), extent, encodings[samples.below(encodings.length)], out);
      byte[] bytes = out.toArray();
      for (int flips = samples.below(3); flips >= 0; flips--) {
        int[] values = {0, 1, 0x7f, 0xff, 0x80, samples.below(256)};
        bytes[samples.below(bytes.length)] = (byte) values[samples.below(values.length)];
      }
      if (samples.below(4) == 0) {
        bytes = Arrays.copyOf(bytes, samples.below(bytes.length + 1));
      }
      refused += readDamaged(bytes, sizes);
    }
    assertTrue(refused > 5000 && refused < 20_000, "refused " + refused);
  }

  private static int readDamaged(byte[] bytes, long[] sizes) {
    try {
      RunSet set = SelectionCodec.decodeSet(reader(bytes), sizes);
      assertTrue(set.bound() <= Shape.of(sizes).elements());
      SelectedDataspace space = SelectionCodec.decode(reader(bytes));
      assertEquals(set, SelectionSets.runs(space.selection(), sizes));
      return 0;
    } catch (FormatException | UnsupportedFeatureException e) {
      try {
        SelectionCodec.decode(reader(bytes));
      } catch (FormatException | UnsupportedFeatureException expected) {
        return 1;
      }
      return 1;
    }
  }

  @Test
  void a_selection_is_stored_as_the_smallest_of_pattern_blocks_and_points() {
    long[] sizes = {40, 40};
    Random random = new Random(9);
    for (int i = 0; i < 2000; i++) {
      RunSet.Builder runs = new RunSet.Builder();
      int length = 1 + random.nextInt(3);
      int gap = 1 + random.nextInt(200);
      boolean regular = random.nextBoolean();
      for (int at = random.nextInt(40); at + length <= 1600; at += length) {
        runs.add(at, at + length);
        at += regular ? gap : 1 + random.nextInt(gap);
      }
      RunSet set = runs.build();
      int stored = encoded(set, sizes, SelectionCodec.SectionStorage.RAW);
      int compressed = encoded(set, sizes, SelectionCodec.SectionStorage.COMPRESSED);
      int blocks = 16 + 8 * BoxCover.of(RunSetSpans.of(set, sizes)).size();
      int points = 15 + 4 * (int) set.count();
      int head = 7 + 8 + 32;
      assertTrue(stored <= compressed, set + " stored=" + stored + " compressed=" + compressed);
      assertTrue(
          stored - head <= Math.min(blocks, points),
          set + " stored=" + (stored - head) + " blocks=" + blocks + " points=" + points);
    }
  }

  private static int encoded(RunSet set, long[] sizes, SelectionCodec.SectionStorage storage) {
    ByteWriter out = ByteWriter.create();
    SelectionCodec.encodeSet(set, sizes, SelectionEncoding.SMALLEST, storage, out);
    assertEquals(set, SelectionCodec.decodeSet(ByteReader.of(out.written(), "set"), sizes));
    return out.position();
  }
}
