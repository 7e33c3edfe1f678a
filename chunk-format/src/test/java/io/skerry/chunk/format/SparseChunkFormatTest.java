package io.skerry.chunk.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.SectionTable;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filters;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SparseChunkFormatTest {
  private static final MemorySegment SEVEN = MemorySegment.ofArray(new short[] {7});
  private static final FilterPipeline SHUFFLE_DEFLATE =
      FilterPipeline.of(Filters.shuffle(), Filters.deflate(6));
  private static final SparseChunkFormat PLAIN =
      SparseChunkFormat.of(new long[] {4, 5, 6}, Datatype.U16).withFill(SEVEN);
  private static final SparseChunkFormat FILTERED =
      PLAIN.withPipelines(SectionPipelines.all(SHUFFLE_DEFLATE));
  private static final SparseChunkFormat CHECKED =
      PLAIN
          .withSelectionEncoding(SelectionEncoding.V1)
          .withPipelines(SectionPipelines.none().with(1, FilterPipeline.of(Filters.fletcher32())));

  @Test
  void the_hexdump_of_an_image_is_the_documented_one() {
    SparseChunkFormat format =
        SparseChunkFormat.of(new long[] {4, 8}, Datatype.U16)
            .withSelectionEncoding(SelectionEncoding.V1);
    // Row 1, columns 2 to 5, and row 3, column 7.
    RunSet defined = RunSet.ofIndices(10, 11, 12, 13, 31);
    MemorySegment values =
        MemorySegment.ofArray(new short[] {0x0a01, 0x0a02, 0x0a03, 0x0a04, 0x0b01});
    ChunkImage image =
        format.encode(format.write(format.newChunk(), defined, values)).orElseThrow();
    assertEquals(
        """
        0000  01 00 08 28 00 00 00 01 02 01 00 00 00 00 00 04
        0010  00 00 00 00 00 00 00 08 00 00 00 00 00 00 00 04
        0020  00 00 00 00 00 00 00 08 00 00 00 00 00 00 00 02
        0030  00 00 00 01 00 00 00 00 00 00 00 28 00 00 00 02
        0040  00 00 00 02 00 00 00 01 00 00 00 02 00 00 00 01
        0050  00 00 00 05 00 00 00 03 00 00 00 07 00 00 00 03
        0060  00 00 00 07 00 00 00 a5 9d 08 32 01 0a 02 0a 03
        0070  0a 04 0a 01 0b
        """,
        hexdump(image.bytes()));
    assertEquals(
        new SectionTable(0x75, new long[] {0x6b}, new long[0], new int[0]), image.sections());
  }

  @Test
  void random_writes_erasures_clips_and_reads_agree_with_a_plain_array() {
    for (int seed = 0; seed < 150; seed++) {
      Random random = new Random(seed);
      SparseChunkFormat format = List.of(PLAIN, FILTERED, CHECKED).get(seed % 3);
      short[] model = new short[120];
      Arrays.fill(model, (short) 7);
      BitSet there = new BitSet();
      MemoryChunk chunk = format.newChunk();
      for (int step = 0; step < 40; step++) {
        RunSet elements = Samples.randomSet(random, 120);
        switch (random.nextInt(6)) {
          case 0 -> {
            if (!there.isEmpty()) {
              ChunkImage image = format.encode(chunk).orElseThrow();
              assertEquals(set(there), format.decodeDefined(image));
              chunk = format.decode(image);
            } else {
              assertTrue(format.encode(chunk).isEmpty());
            }
          }
          case 1 -> {
            long[] valid = {4 - random.nextInt(2), 5 - random.nextInt(3), 6 - random.nextInt(2)};
            chunk = format.clip(chunk, valid);
            for (int i = 0; i < 120; i++) {
              if (i / 30 >= valid[0] || i / 6 % 5 >= valid[1] || i % 6 >= valid[2]) {
                there.clear(i);
                model[i] = 7;
              }
            }
          }
          case 2 -> {
            chunk = format.erase(chunk, elements);
            Samples.scatter(elements, filled(elements), model);
            there.andNot(bits(elements));
          }
          default -> {
            short[] packed = Samples.randomShorts(random, elements);
            chunk = format.write(chunk, elements, MemorySegment.ofArray(packed));
            Samples.scatter(elements, packed, model);
            there.or(bits(elements));
          }
        }
        RunSet all = RunSet.range(0, 120);
        assertArrayEquals(model, Samples.readShorts(format, chunk, all), "seed=" + seed);
        assertEquals(set(there), format.defined(chunk, all));
        assertEquals(there.cardinality(), chunk.definedCount());
        RunSet some = Samples.randomSet(random, 120);
        assertArrayEquals(Samples.gather(some, model), Samples.readShorts(format, chunk, some));
        assertEquals(set(there).intersect(some), format.defined(chunk, some));
      }
    }
  }

  @Test
  void older_versions_and_the_callers_buffer_do_not_change() {
    short[] buffer = {1, 2, 3};
    RunSet three = RunSet.range(10, 13);
    MemoryChunk first = PLAIN.write(PLAIN.newChunk(), three, MemorySegment.ofArray(buffer));
    buffer[1] = 99;
    MemoryChunk second =
        PLAIN.write(first, RunSet.range(11, 14), MemorySegment.ofArray(new short[] {5, 6, 7}));
    PLAIN.erase(first, three);
    assertArrayEquals(new short[] {1, 2, 3}, Samples.readShorts(PLAIN, first, three));
    assertArrayEquals(new short[] {1, 5, 6}, Samples.readShorts(PLAIN, second, three));
    assertSame(first, PLAIN.erase(first, RunSet.range(0, 10)));
  }

  @Test
  void a_chunk_without_defined_elements_is_not_stored() {
    MemoryChunk chunk =
        PLAIN.write(PLAIN.newChunk(), RunSet.ofIndices(3), MemorySegment.ofArray(new short[1]));
    assertTrue(PLAIN.encode(chunk).isPresent());
    assertTrue(PLAIN.encode(PLAIN.erase(chunk, RunSet.range(0, 120))).isEmpty());
    assertTrue(PLAIN.encode(PLAIN.clip(chunk, new long[] {4, 0, 6})).isEmpty());
    assertTrue(PLAIN.encode(PLAIN.newChunk()).isEmpty());
  }

  @Test
  void only_a_completely_defined_chunk_is_encoded_as_all() {
    RunSet all = RunSet.range(0, 120);
    MemoryChunk full = PLAIN.write(PLAIN.newChunk(), all, MemorySegment.ofArray(new short[120]));
    assertEquals(3, selectionType(PLAIN.encode(full).orElseThrow()));
    MemoryChunk edge = PLAIN.clip(full, new long[] {3, 5, 6});
    assertEquals(90, edge.definedCount());
    assertEquals(2, selectionType(PLAIN.encode(edge).orElseThrow()));
    assertEquals(RunSet.range(0, 90), PLAIN.decodeDefined(PLAIN.encode(edge).orElseThrow()));
  }

  @Test
  void the_defined_set_needs_section_0_only() {
    MemoryChunk chunk =
        FILTERED.write(
            FILTERED.newChunk(), RunSet.range(5, 25), MemorySegment.ofArray(new short[20]));
    ChunkImage image = FILTERED.encode(chunk).orElseThrow();
    long length = image.sections().length(0);
    image.bytes().asSlice(length).fill((byte) 0xee);
    assertEquals(RunSet.range(5, 25), FILTERED.decodeDefined(image));
    MemorySegment alone = MemorySegment.ofArray(new byte[(int) length]);
    alone.copyFrom(image.bytes().asSlice(0, length));
    assertEquals(
        RunSet.range(5, 25), FILTERED.locations(alone, image.sections()).orElseThrow().defined());
    assertThrows(FormatException.class, () -> FILTERED.decode(image));
    assertThrows(
        FormatException.class, () -> FILTERED.locations(alone.asSlice(1), image.sections()));
  }

  @Test
  void shuffle_of_section_0_gets_the_size_of_a_block_record() {
    assertEquals("[shuffle(12), deflate(6)]", FILTERED.pipelines().of(0).filters().toString());
    assertEquals("[shuffle(2), deflate(6)]", FILTERED.pipelines().of(1).filters().toString());
    assertEquals(24, CHECKED.blockRecordSize());
  }

  @Test
  void an_unfiltered_edge_chunk_of_a_filtered_dataset_keeps_its_record_form() {
    SparseChunkFormat edge = FILTERED.withoutFilters();
    MemoryChunk chunk =
        edge.write(edge.newChunk(), RunSet.range(0, 60), MemorySegment.ofArray(new short[60]));
    ChunkImage image = edge.encode(chunk).orElseThrow();
    assertEquals(2, image.sections().filterMasks().length);
    assertEquals(image.sections().length(0), image.sections().unfilteredSizes()[0]);
    assertEquals(120, image.sections().length(1));
    assertEquals(RunSet.range(0, 60), edge.decodeDefined(image));
    assertEquals(60, edge.decode(image).definedCount());
  }

  @Test
  void every_flipped_bit_of_section_0_is_detected() {
    MemoryChunk chunk =
        PLAIN.write(PLAIN.newChunk(), RunSet.range(5, 9), MemorySegment.ofArray(new short[4]));
    ChunkImage image = PLAIN.encode(chunk).orElseThrow();
    for (long bit = 0; bit < 8 * image.sections().length(0); bit++) {
      byte[] bytes = image.bytes().toArray(ValueLayout.JAVA_BYTE);
      bytes[(int) (bit / 8)] ^= (byte) (1 << bit % 8);
      ChunkImage damaged = new ChunkImage(MemorySegment.ofArray(bytes), image.sections());
      assertThrows(FormatException.class, () -> PLAIN.decode(damaged));
    }
  }

  @Test
  void hostile_images_and_records_are_refused_or_decode_within_bounds() {
    Random random = new Random(99);
    int refused = 0;
    for (int round = 0; round < 6000; round++) {
      SparseChunkFormat format = List.of(PLAIN, FILTERED, CHECKED).get(round % 3);
      RunSet elements = Samples.randomSet(random, 120).union(RunSet.ofIndices(9));
      short[] packed = Samples.randomShorts(random, elements);
      ChunkImage image =
          format
              .encode(format.write(format.newChunk(), elements, MemorySegment.ofArray(packed)))
              .orElseThrow();
      byte[] bytes = image.bytes().toArray(ValueLayout.JAVA_BYTE);
      SectionTable t = image.sections();
      long[] offsets = t.offsets().clone();
      long[] sizes = t.unfilteredSizes().clone();
      int[] masks = t.filterMasks().clone();
      switch (random.nextInt(5)) {
        case 0 -> bytes[random.nextInt((int) t.length(0))] ^= (byte) (1 + random.nextInt(255));
        case 1 -> offsets[0] = random.nextBoolean() ? random.nextLong() : random.nextInt(200);
        case 2 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
        case 3 -> resign(bytes, t, random);
        default -> {
          if (sizes.length > 0) {
            sizes[random.nextInt(2)] =
                random.nextBoolean() ? random.nextLong() : random.nextInt(300);
            masks[random.nextInt(2)] ^= random.nextInt(8);
          }
        }
      }
      try {
        ChunkImage damaged =
            new ChunkImage(
                MemorySegment.ofArray(bytes),
                new SectionTable(bytes.length, offsets, sizes, masks));
        MemoryChunk chunk = format.decode(damaged);
        assertTrue(chunk.definedCount() <= 120);
      } catch (FormatException | UnsupportedFeatureException e) {
        refused++;
      }
    }
    assertTrue(refused > 2500, "refused=" + refused);
  }

  /** Damages the selection and corrects its checksum, as a malicious writer would. */
  private static void resign(byte[] bytes, SectionTable table, Random random) {
    int length = (int) table.length(0) - 4;
    bytes[random.nextInt(length)] ^= (byte) (1 << random.nextInt(8));
    MemorySegment segment = MemorySegment.ofArray(bytes);
    int sum = io.skerry.chunk.bytes.Lookup3.checksum(segment.asSlice(0, length));
    segment.set(ValueLayout.JAVA_INT_UNALIGNED, length, sum);
  }

  @Test
  void values_larger_than_the_defined_elements_are_refused() {
    SparseChunkFormat format =
        SparseChunkFormat.of(new long[] {1 << 20}, Datatype.U8)
            .withPipelines(SectionPipelines.none().with(1, FilterPipeline.of(Filters.deflate(9))));
    RunSet all = RunSet.range(0, 1 << 20);
    ChunkImage full =
        format
            .encode(format.write(format.newChunk(), all, MemorySegment.ofArray(new byte[1 << 20])))
            .orElseThrow();
    ChunkImage small =
        format
            .encode(
                format.write(
                    format.newChunk(), RunSet.range(3, 90), MemorySegment.ofArray(new byte[87])))
            .orElseThrow();
    MemorySegment section0 = small.bytes().asSlice(0, small.sections().length(0));
    MemorySegment section1 = full.bytes().asSlice(full.sections().start(1));
    MemorySegment joined =
        MemorySegment.ofArray(new byte[(int) (section0.byteSize() + section1.byteSize())]);
    joined.copyFrom(section0);
    joined.asSlice(section0.byteSize()).copyFrom(section1);
    SectionTable table =
        new SectionTable(
            joined.byteSize(),
            new long[] {section0.byteSize()},
            new long[] {section0.byteSize(), 87},
            new int[2]);
    FormatException e =
        assertThrows(FormatException.class, () -> format.decode(new ChunkImage(joined, table)));
    assertTrue(e.getMessage().contains("at most 87"), e.getMessage());
  }

  @Test
  void values_of_an_unsorted_list_of_points_are_in_the_order_of_the_list() {
    SparseChunkFormat format = SparseChunkFormat.of(new long[] {4, 8}, Datatype.U16);
    long[][] points = {{3, 7}, {1, 2}, {2, 0}};
    short[] values = {0x0b, 0x0a, 0x0c};
    MemoryChunk chunk = format.decode(listed(points, values));
    RunSet defined = RunSet.ofIndices(10, 16, 31);
    assertEquals(defined, format.defined(chunk, RunSet.range(0, 32)));
    assertArrayEquals(new short[] {0x0a, 0x0c, 0x0b}, Samples.readShorts(format, chunk, defined));
    long[][] twice = {{3, 7}, {1, 2}, {3, 7}};
    assertThrows(FormatException.class, () -> format.decode(listed(twice, values)));
  }

  private static ChunkImage listed(long[][] points, short[] values) {
    ByteWriter out = ByteWriter.create();
    SelectionCodec.encode(
        Selection.points(points), Shape.of(4, 8), SelectionEncoding.SMALLEST, out);
    int length = out.checksumFrom(0).position();
    out.bytes(MemorySegment.ofArray(values));
    SectionTable table =
        new SectionTable(out.position(), new long[] {length}, new long[0], new int[0]);
    return new ChunkImage(out.written(), table);
  }

  @Test
  void types_that_hold_variable_length_values_are_refused() {
    Datatype nested =
        new Compound(
            20, List.of(new Compound.Member("v", 4, VariableLength.sequence(Datatype.I8))));
    assertThrows(
        UnsupportedFeatureException.class, () -> SparseChunkFormat.of(new long[] {4}, nested));
  }

  @Test
  void a_long_chunk_of_few_elements_costs_little() {
    SparseChunkFormat format = SparseChunkFormat.of(new long[] {1 << 16, 65535}, Datatype.U8);
    RunSet far = RunSet.ofIndices(0, 1L << 31, format.elements() - 1);
    MemoryChunk chunk =
        format.write(format.newChunk(), far, MemorySegment.ofArray(new byte[] {1, 2, 3}));
    assertTrue(chunk.bytes() < 1000);
    ChunkImage image = format.encode(chunk).orElseThrow();
    assertTrue(image.sections().size() < 200, image.sections().toString());
    assertEquals(far, format.decodeDefined(image));
    assertEquals(2, format.clip(chunk, new long[] {1 << 16, 65534}).definedCount());
  }

  private static long selectionType(ChunkImage image) {
    long extent = image.bytes().get(ValueLayout.JAVA_INT_UNALIGNED, 3);
    return image.bytes().get(ValueLayout.JAVA_INT_UNALIGNED, 7 + extent);
  }

  private static BitSet bits(RunSet elements) {
    BitSet bits = new BitSet();
    for (int i = 0; i < elements.runs(); i++) {
      bits.set((int) elements.start(i), (int) elements.end(i));
    }
    return bits;
  }

  private static RunSet set(BitSet bits) {
    return RunSet.ofIndices(bits.stream().asLongStream().toArray());
  }

  private static short[] filled(RunSet elements) {
    short[] packed = new short[(int) elements.count()];
    Arrays.fill(packed, (short) 7);
    return packed;
  }

  private static String hexdump(MemorySegment bytes) {
    StringBuilder text = new StringBuilder();
    for (long at = 0; at < bytes.byteSize(); at++) {
      if (at % 16 == 0) {
        text.append(at == 0 ? "" : "\n").append(String.format("%04x ", at));
      }
      text.append(String.format(" %02x", bytes.get(ValueLayout.JAVA_BYTE, at)));
    }
    return text.append('\n').toString();
  }
}
