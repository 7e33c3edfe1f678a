package io.skerry.filter.pipeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.PythonOracle;
import io.skerry.chunk.filter.basic.Fletcher32Filter;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import io.skerry.filter.RotatedFilter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class FilterPipelineTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final AtomicBoolean LOADED = new AtomicBoolean();
  private static final FilterPipeline ALL_THREE =
      FilterPipeline.of(Filters.shuffle(2), Filters.deflate(6), Filters.fletcher32());

  // Golden chunks, written by h5py with HDF5 2.0.0.

  @Test
  void shuffle_of_four_byte_elements_agrees_with_the_library() {
    byte[] numbers = new byte[20];
    MemorySegment segment = MemorySegment.ofArray(numbers);
    for (int i = 0; i < 5; i++) {
      segment.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i, i * 0x01020304);
    }
    assertEquals(
        "0004080c10000306090c00020406080001020304",
        apply(FilterPipeline.of(Filters.shuffle(4)), numbers));
  }

  @Test
  void fletcher32_agrees_with_the_library() {
    FilterPipeline pipeline = FilterPipeline.of(Filters.fletcher32());
    assertEquals("736b6572727921576cf803", apply(pipeline, "skerry!".getBytes()));
    byte[] ones = HEX.parseHex("ffffffffffffffff");
    assertEquals("ffffffffffffffffffffffff", apply(pipeline, ones));
  }

  @Test
  void a_chunk_with_all_three_filters_reads_back() {
    byte[] stored =
        HEX.parseHex(
            "789c6360646266616563e7e0e4e2e6e1e5e31710141216111513979094929691"
                + "959357505452565155536720120000a3d4030d4b0669c2");
    MemorySegment numbers = undo(ALL_THREE, stored, 0, 80);
    assertEquals(80, numbers.byteSize());
    for (int i = 0; i < 40; i++) {
      assertEquals(i, numbers.getAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, i));
    }
  }

  @Test
  void chunks_that_h5py_wrote_read_back_and_are_written_alike() throws Exception {
    String script =
        """
        f = h5py.File('x', 'w', driver='core', backing_store=False)
        rng = np.random.default_rng(9)
        for i in range(60):
            n = int(rng.integers(1, 400))
            t = ['u1', '<u2', '<i4', '<f8', 'S3', 'S12', 'S21'][i % 7]
            raw = (rng.integers(0, 40, n * np.dtype(t).itemsize) + 1).astype('u1').tobytes()
            x = np.frombuffer(raw, t)
            d = f.create_dataset(str(i), data=x, chunks=(n,), shuffle=bool(i & 1),
                compression=(i % 10 if i & 2 else None), fletcher32=bool(i & 4))
            m, b = d.id.read_direct_chunk((0,))
            print(np.dtype(t).itemsize, i % 10, i & 7, m, raw.hex(), b.hex())
        """;
    int equal = 0;
    List<String> lines = PythonOracle.run(script);
    for (String line : lines) {
      String[] fields = line.split(" ");
      int flags = Integer.parseInt(fields[2]);
      List<FilterSpec> specs = new java.util.ArrayList<>();
      if ((flags & 1) != 0) {
        specs.add(Filters.shuffle(Integer.parseInt(fields[0])));
      }
      if ((flags & 2) != 0) {
        specs.add(Filters.deflate(Integer.parseInt(fields[1])));
      }
      if ((flags & 4) != 0) {
        specs.add(Filters.fletcher32());
      }
      FilterPipeline pipeline = new FilterPipeline(specs).withGrowth(Filter.Growth.STORED);
      byte[] raw = HEX.parseHex(fields[4]);
      byte[] stored = HEX.parseHex(fields[5]);
      int mask = Integer.parseInt(fields[3]);
      assertArrayEquals(
          raw, undo(pipeline, stored, mask, raw.length).toArray(ValueLayout.JAVA_BYTE));
      FilterPipeline.Encoded encoded = pipeline.apply(MemorySegment.ofArray(raw));
      assertEquals(0, encoded.mask());
      if ((flags & 2) == 0) {
        assertEquals(fields[5], hex(encoded.bytes()), line);
      }
      equal += fields[5].equals(hex(encoded.bytes())) ? 1 : 0;
    }
    System.out.println(
        lines.size() + " chunks of h5py undone, " + equal + " reproduced byte for byte");
    assertEquals(60, lines.size());
  }

  @Test
  void shuffle_of_any_element_size_and_count_is_the_plain_transposition() {
    Random random = new Random(11);
    int[] sizes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 40};
    for (int size : sizes) {
      for (int count : new int[] {0, 1, 2, 7, 8, 9, 63, 64, 65, 255, 256, 257, 600}) {
        byte[] in = new byte[size * count + random.nextInt(size)];
        random.nextBytes(in);
        byte[] expected = in.clone();
        for (int i = 0; i < count; i++) {
          for (int j = 0; j < size; j++) {
            expected[j * count + i] = in[i * size + j];
          }
        }
        FilterPipeline pipeline = FilterPipeline.of(Filters.shuffle(size));
        String what = "size=" + size + " count=" + count;
        assertEquals(HEX.formatHex(expected), apply(pipeline, in), what);
        assertEquals(HEX.formatHex(in), hex(undo(pipeline, expected, 0, in.length)), what);
      }
    }
  }

  @Test
  void pipelines_round_trip_from_heap_and_native_memory() {
    Random random = new Random(12);
    try (Arena arena = Arena.ofConfined()) {
      for (int round = 0; round < 300; round++) {
        byte[] in = compressible(random, random.nextInt(5000));
        MemorySegment source =
            round % 2 == 0
                ? MemorySegment.ofArray(in)
                : arena
                    .allocate(in.length + 3L)
                    .asSlice(3, in.length)
                    .copyFrom(MemorySegment.ofArray(in));
        FilterPipeline pipeline =
            FilterPipeline.of(
                Filters.shuffle(1 + random.nextInt(20)),
                Filters.deflate(random.nextInt(10)),
                Filters.fletcher32());
        FilterPipeline.Encoded encoded = pipeline.apply(source);
        MemorySegment back = pipeline.undo(encoded.bytes(), encoded.mask(), in.length);
        assertArrayEquals(in, back.toArray(ValueLayout.JAVA_BYTE));
      }
    }
  }

  @Test
  void the_input_of_a_write_is_not_changed() {
    byte[] in = compressible(new Random(1), 1000);
    byte[] before = in.clone();
    ALL_THREE.apply(MemorySegment.ofArray(in));
    assertArrayEquals(before, in);
  }

  @Test
  void an_optional_deflate_that_does_not_shrink_is_skipped_and_masked() {
    byte[] noise = new byte[100];
    new Random(2).nextBytes(noise);
    FilterPipeline.Encoded encoded = ALL_THREE.apply(MemorySegment.ofArray(noise));
    assertEquals(0b010, encoded.mask());
    assertEquals(104, encoded.bytes().byteSize());
    MemorySegment back = ALL_THREE.undo(encoded.bytes(), encoded.mask(), 100);
    assertArrayEquals(noise, back.toArray(ValueLayout.JAVA_BYTE));
  }

  @Test
  void a_deflate_that_is_mandatory_or_stores_growth_is_not_skipped() {
    byte[] noise = new byte[100];
    new Random(2).nextBytes(noise);
    FilterSpec mandatory = Filters.deflate(6).withFlag(FilterSpec.Flag.MANDATORY);
    for (FilterPipeline pipeline :
        List.of(
            FilterPipeline.of(mandatory),
            FilterPipeline.of(Filters.deflate(6)).withGrowth(Filter.Growth.STORED))) {
      FilterPipeline.Encoded encoded = pipeline.apply(MemorySegment.ofArray(noise));
      assertEquals(0, encoded.mask());
      assertEquals(111, encoded.bytes().byteSize());
    }
  }

  @Test
  void fletcher32_of_old_files_with_swapped_halves_is_accepted() {
    FilterPipeline pipeline = FilterPipeline.of(Filters.fletcher32());
    byte[] swapped = HEX.parseHex("736b6572727921" + "6c57" + "03f8");
    assertEquals("736b6572727921", hex(undo(pipeline, swapped, 0, 7)));
    byte[] wrong = HEX.parseHex("736b6572727921" + "6c57" + "f803");
    FormatException e = assertThrows(FormatException.class, () -> undo(pipeline, wrong, 0, 7));
    assertTrue(e.getMessage().contains("fletcher32"), e.getMessage());
  }

  @Test
  void fletcher32_of_long_data_folds_like_a_plain_sum() {
    byte[] data = new byte[300_001];
    new Random(4).nextBytes(data);
    Arrays.fill(data, 0, 150_000, (byte) 0xff);
    long first = 0;
    long second = 0;
    for (int i = 0; i < data.length; i += 2) {
      int low = i + 1 < data.length ? data[i + 1] & 0xff : 0;
      first = (first + ((data[i] & 0xff) << 8 | low)) % 65535;
      second = (second + first) % 65535;
    }
    int sum = Fletcher32Filter.checksum(MemorySegment.ofArray(data));
    assertEquals(first, (sum & 0xffff) % 65535);
    assertEquals(second, (sum >>> 16) % 65535);
  }

  @Test
  void a_decompression_bomb_is_refused_at_the_limit() {
    byte[] bomb =
        FilterPipeline.of(Filters.deflate(9))
            .apply(MemorySegment.ofArray(new byte[50_000_000]))
            .bytes()
            .toArray(ValueLayout.JAVA_BYTE);
    FilterPipeline pipeline = FilterPipeline.of(Filters.deflate(9));
    FormatException e = assertThrows(FormatException.class, () -> undo(pipeline, bomb, 0, 1000));
    assertTrue(e.getMessage().contains("at most 1000"), e.getMessage());
    assertThrows(FormatException.class, () -> undo(pipeline, bomb, 0, 49_999_999));
    assertEquals(50_000_000, undo(pipeline, bomb, 0, 50_000_000).byteSize());
    assertEquals(50_000_000, undo(pipeline, bomb, 0, Long.MAX_VALUE).byteSize());
  }

  @Test
  void streams_of_any_ratio_and_limit_inflate_from_any_memory() {
    Random random = new Random(17);
    FilterPipeline pipeline =
        FilterPipeline.of(Filters.shuffle(2), Filters.deflate(6)).withGrowth(Filter.Growth.STORED);
    try (Arena arena = Arena.ofConfined()) {
      for (int length : new int[] {1, 63, 64, 65, 1000, 1 << 20, (1 << 20) + 1, 3 << 20}) {
        for (int bound : new int[] {1, 3, 256}) {
          byte[] in = new byte[length];
          for (int i = 0; i < length; i++) {
            in[i] = (byte) random.nextInt(bound);
          }
          MemorySegment heap = pipeline.apply(MemorySegment.ofArray(in)).bytes();
          MemorySegment stored = arena.allocate(heap.byteSize()).copyFrom(heap);
          for (long limit : new long[] {length, length + 1L, 10L * length, Long.MAX_VALUE}) {
            assertArrayEquals(in, pipeline.undo(stored, 0, limit).toArray(ValueLayout.JAVA_BYTE));
          }
          assertThrows(FormatException.class, () -> pipeline.undo(stored, 0, length - 1));
          MemorySegment cut = stored.asSlice(0, stored.byteSize() - 1);
          assertThrows(FormatException.class, () -> pipeline.undo(cut, 0, length));
        }
      }
    }
  }

  @Test
  void the_limit_holds_for_unfiltered_and_masked_bytes_too() {
    MemorySegment ten = MemorySegment.ofArray(new byte[10]);
    assertSame(ten, FilterPipeline.none().undo(ten, 0, 10));
    assertThrows(FormatException.class, () -> FilterPipeline.none().undo(ten, 0, 9));
    assertThrows(FormatException.class, () -> ALL_THREE.undo(ten, 0b111, 9));
    assertSame(ten, ALL_THREE.undo(ten, 0b111, 10));
  }

  @Test
  void a_mask_beyond_the_last_filter_is_refused() {
    MemorySegment ten = MemorySegment.ofArray(new byte[10]);
    assertThrows(FormatException.class, () -> ALL_THREE.undo(ten, 0b1111, 10));
  }

  @Test
  void damaged_chunks_cause_a_format_exception_or_stay_within_the_limit() {
    Random random = new Random(13);
    FilterPipeline unchecked = FilterPipeline.of(Filters.shuffle(4), Filters.deflate(6));
    int refused = 0;
    for (int round = 0; round < 5000; round++) {
      byte[] in = compressible(random, 20 + random.nextInt(500));
      FilterPipeline pipeline = round % 2 == 0 ? unchecked : ALL_THREE;
      FilterPipeline.Encoded encoded = pipeline.apply(MemorySegment.ofArray(in));
      byte[] stored = encoded.bytes().toArray(ValueLayout.JAVA_BYTE);
      byte[] damaged =
          random.nextInt(4) == 0 ? Arrays.copyOf(stored, random.nextInt(stored.length)) : stored;
      if (damaged.length > 0) {
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 + random.nextInt(255));
      }
      try {
        MemorySegment out = undo(pipeline, damaged, encoded.mask(), in.length);
        assertTrue(out.byteSize() <= in.length);
      } catch (FormatException e) {
        refused++;
      }
    }
    assertTrue(refused > 4000, "refused=" + refused);
  }

  @Test
  void an_unknown_filter_is_named_when_it_is_needed() {
    FilterSpec unknown =
        new FilterSpec(32013, FilterSpec.Flag.MANDATORY, Optional.of("H5Z-ZFP"), new int[] {3});
    FilterPipeline pipeline = FilterPipeline.of(unknown);
    MemorySegment bytes = MemorySegment.ofArray(new byte[8]);
    for (var attempt :
        List.<Runnable>of(() -> pipeline.apply(bytes), () -> pipeline.undo(bytes, 0, 8))) {
      UnsupportedFeatureException e = assertThrows(UnsupportedFeatureException.class, attempt::run);
      assertTrue(e.getMessage().contains("id=32013 name=H5Z-ZFP clientData=[3]"), e.getMessage());
    }
    assertSame(bytes, pipeline.undo(bytes, 1, 8));
    FilterPipeline optional = FilterPipeline.of(unknown.withFlag(FilterSpec.Flag.OPTIONAL));
    assertEquals(1, optional.apply(bytes).mask());
    FilterPipeline nameless = FilterPipeline.of(FilterSpec.of(32026, FilterSpec.Flag.MANDATORY));
    UnsupportedFeatureException e =
        assertThrows(UnsupportedFeatureException.class, () -> nameless.undo(bytes, 0, 8));
    assertTrue(e.getMessage().contains("id=32026 name=blosc2"), e.getMessage());
  }

  /** A filter on the class path that is not registered as a service. */
  private static final class NamedFilter implements Filter {
    static {
      LOADED.set(true);
    }

    @Override
    public int id() {
      return 41_001;
    }

    @Override
    public String name() {
      return "named";
    }

    @Override
    public Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth) {
      return Optional.of(in);
    }

    @Override
    public MemorySegment decode(MemorySegment in, FilterSpec spec, long limit) {
      return in;
    }
  }

  @Test
  void a_file_cannot_name_code_to_load() {
    MemorySegment bytes = MemorySegment.ofArray(new byte[8]);
    for (String name :
        List.of(
            NamedFilter.class.getName(),
            NamedFilter.class.getName().replace('.', '/') + ".class",
            "/usr/lib/libm.so.6",
            "../plugin/libh5named.so",
            RotatedFilter.class.getName())) {
      FilterSpec spec =
          new FilterSpec(41_001, FilterSpec.Flag.MANDATORY, Optional.of(name), new int[] {1});
      FilterPipeline pipeline = FilterPipeline.of(spec).withFilterSet(FilterSet.installed());
      UnsupportedFeatureException e =
          assertThrows(UnsupportedFeatureException.class, () -> pipeline.undo(bytes, 0, 8));
      assertTrue(e.getMessage().contains("name=" + name), e.getMessage());
      assertFalse(LOADED.get(), name);
    }
    Filter given = new NamedFilter();
    assertTrue(LOADED.get());
    assertEquals(41_001, given.id());
  }

  @Test
  void filters_can_be_added_to_a_set() {
    Filter invert =
        new Filter() {
          @Override
          public int id() {
            return 40_000;
          }

          @Override
          public String name() {
            return "invert";
          }

          @Override
          public Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth) {
            return Optional.of(decode(in, spec, in.byteSize()));
          }

          @Override
          public MemorySegment decode(MemorySegment in, FilterSpec spec, long limit) {
            byte[] bytes = in.toArray(ValueLayout.JAVA_BYTE);
            for (int i = 0; i < bytes.length; i++) {
              bytes[i] = (byte) ~bytes[i];
            }
            return MemorySegment.ofArray(bytes);
          }
        };
    FilterPipeline pipeline =
        FilterPipeline.of(FilterSpec.of(40_000, FilterSpec.Flag.MANDATORY))
            .withFilterSet(FilterSet.standard().with(invert));
    assertEquals("fe00", apply(pipeline, new byte[] {1, -1}));
    assertEquals("01ff", hex(undo(pipeline, HEX.parseHex("fe00"), 0, 2)));
  }

  @Test
  void a_shuffle_gets_its_element_size_when_it_is_bound() {
    FilterPipeline free = FilterPipeline.of(Filters.shuffle(), Filters.deflate(3));
    assertThrows(
        IllegalArgumentException.class, () -> free.apply(MemorySegment.ofArray(new byte[8])));
    FilterPipeline bound = free.bind(12);
    assertEquals("[shuffle(12), deflate(3)]", bound.filters().toString());
    assertEquals(bound, bound.bind(4));
    SectionPipelines sections = SectionPipelines.all(free).bind(12, 4);
    assertEquals("[shuffle(12), deflate(3)]", sections.of(0).filters().toString());
    assertEquals("[shuffle(4), deflate(3)]", sections.of(1).filters().toString());
    assertTrue(sections.isFiltered());
  }

  private static byte[] compressible(Random random, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i / 7 + random.nextInt(3));
    }
    return bytes;
  }

  private static String apply(FilterPipeline pipeline, byte[] in) {
    return hex(pipeline.apply(MemorySegment.ofArray(in)).bytes());
  }

  private static MemorySegment undo(FilterPipeline pipeline, byte[] in, int mask, long limit) {
    return pipeline.undo(MemorySegment.ofArray(in), mask, limit);
  }

  private static String hex(MemorySegment bytes) {
    return HEX.formatHex(bytes.toArray(ValueLayout.JAVA_BYTE));
  }

  @Test
  void filters_of_a_section_are_added_changed_asked_for_and_removed() {
    SectionPipelines sections =
        SectionPipelines.all(FilterPipeline.of(Filters.shuffle(), Filters.deflate(6)))
            .changed(1, section -> section.plus(Filters.fletcher32()))
            .changed(1, section -> section.modified(Filters.deflate(9)))
            .changed(0, section -> section.minus(Filters.SHUFFLE));
    assertEquals(List.of(Filters.deflate(6)), sections.of(0).filters());
    assertEquals(
        List.of(Filters.shuffle(), Filters.deflate(9), Filters.fletcher32()),
        sections.of(1).filters());
    assertEquals(List.of(Filters.shuffle(), Filters.deflate(6)), sections.of(2).filters());
    assertEquals(Optional.of(Filters.deflate(9)), sections.of(1).find(Filters.DEFLATE));
    assertEquals(Optional.empty(), sections.of(0).find(Filters.FLETCHER32));
    assertThrows(IllegalArgumentException.class, () -> sections.of(0).minus(Filters.SHUFFLE));
    assertThrows(
        IllegalArgumentException.class, () -> sections.of(0).modified(Filters.fletcher32()));
  }
}
