package io.skerry.chunk.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.PythonOracle;
import io.skerry.chunk.SectionTable;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filters;
import io.skerry.filter.pipeline.FilterPipeline;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DenseChunkFormatTest {
  private static final MemorySegment SEVEN = MemorySegment.ofArray(new short[] {7});
  private static final DenseChunkFormat PLAIN =
      DenseChunkFormat.of(new long[] {3, 4}, Datatype.U16).withFill(SEVEN);

  @Test
  void an_unfiltered_image_is_the_values_in_row_major_order() {
    MemorySegment two = MemorySegment.ofArray(new short[] {0x0102, 0x0304});
    MemoryChunk chunk = PLAIN.write(PLAIN.newChunk(), RunSet.ofIndices(1, 11), two);
    ChunkImage image = PLAIN.encode(chunk).orElseThrow();
    assertEquals(
        "0700" + "0201" + "0700".repeat(9) + "0403",
        HexFormat.of().formatHex(image.bytes().toArray(ValueLayout.JAVA_BYTE)));
    assertEquals(SectionTable.plain(24), image.sections());
    assertEquals(new EncodedSize.Exactly(24), PLAIN.encodedSize());
  }

  @Test
  void random_writes_clips_and_reads_agree_with_a_plain_array() {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      DenseChunkFormat format = seed % 2 == 0 ? PLAIN.withPipeline(pipeline()) : PLAIN;
      short[] model = new short[12];
      Arrays.fill(model, (short) 7);
      MemoryChunk chunk = format.newChunk();
      for (int step = 0; step < 40; step++) {
        RunSet elements = Samples.randomSet(random, 12);
        switch (random.nextInt(5)) {
          case 0 -> chunk = format.decode(format.encode(chunk).orElseThrow());
          case 1 -> {
            long[] valid = {1 + random.nextInt(3), random.nextInt(5)};
            chunk = format.clip(chunk, valid);
            for (int i = 0; i < 12; i++) {
              boolean inside = i / 4 < valid[0] && i % 4 < valid[1];
              model[i] = inside ? model[i] : 7;
            }
          }
          default -> {
            short[] packed = Samples.randomShorts(random, elements);
            chunk = format.write(chunk, elements, MemorySegment.ofArray(packed));
            Samples.scatter(elements, packed, model);
          }
        }
        assertArrayEquals(model, Samples.readShorts(format, chunk, RunSet.range(0, 12)));
        RunSet some = Samples.randomSet(random, 12);
        assertArrayEquals(Samples.gather(some, model), Samples.readShorts(format, chunk, some));
        assertEquals(some, format.defined(chunk, some));
        assertEquals(12, chunk.definedCount());
      }
    }
  }

  /** A format with chunks of 240,000 bytes in 15 pages. */
  private static final DenseChunkFormat LARGE =
      DenseChunkFormat.of(new long[] {120, 1000}, Datatype.U16).withFill(SEVEN);

  private static RunSet fewRows(Random random) {
    RunSet.Builder rows = new RunSet.Builder();
    int at = random.nextInt(120_000);
    for (int row = 0; row <= random.nextInt(4) && at < 120_000; row++) {
      int end = Math.min(120_000, at + 1 + random.nextInt(random.nextInt(8) == 0 ? 90_000 : 1500));
      rows.add(at, end);
      at = end + random.nextInt(20_000);
    }
    return rows.build();
  }

  @Test
  void small_writes_of_a_large_chunk_agree_with_a_plain_array_in_every_version() {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      List<MemoryChunk> versions = new ArrayList<>(List.of(LARGE.newChunk()));
      short[] fresh = new short[120_000];
      Arrays.fill(fresh, (short) 7);
      List<short[]> models = new ArrayList<>(List.of(fresh));
      for (int step = 0; step < 30; step++) {
        int from = random.nextInt(3) == 0 ? random.nextInt(versions.size()) : versions.size() - 1;
        RunSet elements = fewRows(random);
        short[] packed = Samples.randomShorts(random, elements);
        short[] model = models.get(from).clone();
        Samples.scatter(elements, packed, model);
        versions.add(LARGE.write(versions.get(from), elements, MemorySegment.ofArray(packed)));
        models.add(model);
      }
      for (int i = 0; i < versions.size(); i++) {
        MemoryChunk chunk = versions.get(i);
        RunSet some = fewRows(random);
        short[] gathered = Samples.gather(some, models.get(i));
        assertArrayEquals(gathered, Samples.readShorts(LARGE, chunk, some));
        ChunkImage image = LARGE.encode(chunk).orElseThrow();
        assertEquals(-1, image.bytes().mismatch(MemorySegment.ofArray(models.get(i))));
        RunSet all = RunSet.range(0, 120_000);
        assertArrayEquals(models.get(i), Samples.readShorts(LARGE, chunk, all));
      }
    }
  }

  @Test
  void a_small_write_to_a_large_chunk_copies_only_touched_pages() {
    RunSet row = RunSet.range(5000, 6000);
    MemorySegment values = MemorySegment.ofArray(new short[1000]);
    MemoryChunk one = LARGE.write(LARGE.newChunk(), row, values);
    assertTrue(one.bytes() < 3 * 17_000, "one page written, one not: " + one.bytes());
    MemoryChunk decoded = LARGE.decode(LARGE.encode(one).orElseThrow());
    MemoryChunk other = LARGE.write(decoded, row, values);
    assertEquals(240_000, decoded.bytes(), 1000);
    assertEquals(240_000, other.bytes(), 7000);
    MemoryChunk half =
        LARGE.write(other, RunSet.range(0, 61_000), MemorySegment.ofArray(new short[61_000]));
    assertEquals(240_000, half.bytes(), 1000);
  }

  @Test
  void a_write_does_not_change_the_older_version_or_the_callers_buffer() {
    short[] values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    RunSet all = RunSet.range(0, 12);
    MemoryChunk first = PLAIN.write(PLAIN.newChunk(), all, MemorySegment.ofArray(values));
    values[0] = 99;
    MemoryChunk second =
        PLAIN.write(first, RunSet.ofIndices(5), MemorySegment.ofArray(new short[] {-1}));
    assertArrayEquals(
        new short[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, Samples.readShorts(PLAIN, first, all));
    assertEquals(-1, Samples.readShorts(PLAIN, second, all)[5]);
  }

  @Test
  void a_filtered_image_carries_its_mask_and_h5py_reads_and_writes_the_same() throws Exception {
    String script =
        """
        f = h5py.File('x', 'w', driver='core', backing_store=False)
        x = np.arange(600, dtype='<u2').reshape(20, 30) // 7
        d = f.create_dataset('a', data=x, chunks=(20, 30), shuffle=True, compression=6, fletcher32=True)
        m, b = d.id.read_direct_chunk((0, 0))
        print(m, b.hex())
        """;
    String[] fields = PythonOracle.run(script).getFirst().split(" ");
    DenseChunkFormat format =
        DenseChunkFormat.of(new long[] {20, 30}, Datatype.U16).withPipeline(pipeline());
    MemorySegment stored = MemorySegment.ofArray(HexFormat.of().parseHex(fields[1]));
    SectionTable table = SectionTable.filtered(stored.byteSize(), Integer.parseInt(fields[0]));
    MemoryChunk chunk = format.decode(new ChunkImage(stored, table));
    short[] values = Samples.readShorts(format, chunk, RunSet.range(0, 600));
    for (int i = 0; i < 600; i++) {
      assertEquals(i / 7, values[i]);
    }
    ChunkImage again = format.encode(chunk).orElseThrow();
    assertEquals(0, again.sections().filterMask(0));
    assertEquals(table.size(), again.sections().size());
  }

  @Test
  void an_unfiltered_edge_chunk_of_a_filtered_dataset_keeps_its_record_form() {
    DenseChunkFormat edge = PLAIN.withPipeline(pipeline()).withoutFilters();
    ChunkImage image = edge.encode(edge.newChunk()).orElseThrow();
    assertEquals(SectionTable.filtered(24, 0), image.sections());
    assertEquals(12, edge.decode(image).definedCount());
  }

  @Test
  void a_chunk_that_was_never_written_holds_no_values_however_large_it_is() {
    DenseChunkFormat huge = DenseChunkFormat.of(new long[] {1 << 15, 1 << 16}, Datatype.U8);
    MemoryChunk chunk = huge.newChunk();
    assertTrue(chunk.bytes() < 1000);
    byte[] one = {1};
    huge.read(chunk, RunSet.ofIndices(1L << 30), MemorySegment.ofArray(one));
    assertEquals(0, one[0]);
  }

  @Test
  void shapes_beyond_the_limits_are_refused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> DenseChunkFormat.of(new long[] {0xffffffffL, 0xffffffffL}, Datatype.U8));
    assertThrows(
        IllegalArgumentException.class,
        () -> DenseChunkFormat.of(new long[] {1L << 30}, Datatype.I32));
    assertThrows(
        IllegalArgumentException.class, () -> DenseChunkFormat.of(new long[] {4, 0}, Datatype.U8));
    assertThrows(
        IllegalArgumentException.class, () -> DenseChunkFormat.of(new long[0], Datatype.U8));
    assertEquals(
        0xffffffffL, DenseChunkFormat.of(new long[] {0xffffffffL}, Datatype.U8).elements());
  }

  @Test
  void images_of_a_wrong_length_are_refused() {
    for (int length : new int[] {0, 23, 25}) {
      ChunkImage image =
          new ChunkImage(MemorySegment.ofArray(new byte[length]), SectionTable.plain(length));
      assertThrows(FormatException.class, () -> PLAIN.decode(image));
    }
    DenseChunkFormat filtered = PLAIN.withPipeline(FilterPipeline.of(Filters.deflate(1)));
    DenseChunkFormat larger =
        DenseChunkFormat.of(new long[] {13}, Datatype.U16)
            .withPipeline(FilterPipeline.of(Filters.deflate(1)));
    ChunkImage image = larger.encode(larger.newChunk()).orElseThrow();
    assertThrows(FormatException.class, () -> filtered.decode(image));
  }

  @Test
  void misuse_is_refused() {
    MemoryChunk chunk = PLAIN.newChunk();
    MemorySegment one = MemorySegment.ofArray(new short[1]);
    assertThrows(
        IllegalArgumentException.class, () -> PLAIN.write(chunk, RunSet.ofIndices(12), one));
    assertThrows(IllegalArgumentException.class, () -> PLAIN.write(chunk, RunSet.range(0, 2), one));
    assertThrows(IllegalArgumentException.class, () -> PLAIN.read(chunk, RunSet.range(0, 2), one));
    assertThrows(IllegalArgumentException.class, () -> PLAIN.clip(chunk, new long[] {3, 5}));
    assertThrows(UnsupportedFeatureException.class, () -> PLAIN.erase(chunk, RunSet.ofIndices(1)));
    SparseChunkFormat other = SparseChunkFormat.of(new long[] {12}, Datatype.U16);
    assertThrows(IllegalArgumentException.class, () -> PLAIN.encode(other.newChunk()));
    assertThrows(IllegalArgumentException.class, () -> other.encode(chunk));
  }

  @Test
  void descriptors_of_variable_length_values_pass_through() {
    DenseChunkFormat format =
        DenseChunkFormat.of(new long[] {2}, VariableLength.sequence(Datatype.I32));
    assertInstanceOf(EncodedSize.Exactly.class, format.encodedSize());
    assertEquals(32, format.encode(format.newChunk()).orElseThrow().bytes().byteSize());
  }

  private static FilterPipeline pipeline() {
    return FilterPipeline.of(Filters.shuffle(), Filters.deflate(6), Filters.fletcher32());
  }
}
