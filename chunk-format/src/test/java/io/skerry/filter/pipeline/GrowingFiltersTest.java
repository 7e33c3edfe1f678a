package io.skerry.filter.pipeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.chunk.PythonOracle;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.Signedness;
import io.skerry.exception.FormatException;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.FilterTarget;
import io.skerry.filter.Filters;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Pipelines in which one filter enlarges noise before the next filter encodes it. */
class GrowingFiltersTest {
  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");
  private static final int DOUBLING = 41_002;

  private static final List<FilterSpec> FILTERS =
      List.of(
          Filters.lz4(1),
          Filters.lz4(2),
          Filters.lz4(100),
          Filters.lz4(),
          Filters.lzf(),
          Filters.zstd(1),
          Filters.bzip2(1),
          Filters.deflate(0),
          Filters.deflate(1),
          Filters.blosc(Filters.BloscCodec.ZLIB, 9, Filters.BloscShuffle.NONE),
          Filters.bitshuffle(),
          FilterSpec.of(Filters.BITSHUFFLE, FilterSpec.Flag.MANDATORY, 0, 4, 1, 8, 2),
          FilterSpec.of(Filters.BITSHUFFLE, FilterSpec.Flag.MANDATORY, 0, 4, 1, 8, 3, 22),
          FilterSpec.of(Filters.BITSHUFFLE, FilterSpec.Flag.MANDATORY, 0, 4, 1, 1 << 20, 3, 22),
          szip(8, 2, 2),
          szip(8, 32, 33),
          szip(8, 32, 1),
          szip(8 + 32, 32, 1),
          Filters.shuffle(4),
          Filters.fletcher32(),
          FilterSpec.of(DOUBLING, FilterSpec.Flag.MANDATORY));

  private static FilterSpec szip(int options, int block, int line) {
    return FilterSpec.of(Filters.SZIP, FilterSpec.Flag.MANDATORY, options, block, 8, line);
  }

  /** A filter of a service provider, which stores every byte twice. */
  private static final class DoublingFilter implements Filter {
    @Override
    public int id() {
      return DOUBLING;
    }

    @Override
    public String name() {
      return "doubling";
    }

    @Override
    public Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth) {
      byte[] out = new byte[2 * (int) in.byteSize()];
      for (int i = 0; i < out.length; i++) {
        out[i] = in.get(ValueLayout.JAVA_BYTE, i / 2);
      }
      return Optional.of(MemorySegment.ofArray(out));
    }

    @Override
    public MemorySegment decode(MemorySegment in, FilterSpec spec, long limit) {
      byte[] out = new byte[(int) in.byteSize() / 2];
      for (int i = 0; i < out.length; i++) {
        out[i] = in.get(ValueLayout.JAVA_BYTE, 2 * i);
      }
      return MemorySegment.ofArray(out);
    }
  }

  private static FilterPipeline stored(FilterSpec... filters) {
    return FilterPipeline.of(filters)
        .withGrowth(Filter.Growth.STORED)
        .withFilterSet(FilterSet.standard().with(new DoublingFilter()));
  }

  private static byte[] noise(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static void assertRoundTrip(FilterPipeline pipeline, byte[] in) {
    FilterPipeline.Encoded encoded = pipeline.apply(MemorySegment.ofArray(in));
    byte[] out =
        pipeline.undo(encoded.bytes(), encoded.mask(), in.length).toArray(ValueLayout.JAVA_BYTE);
    assertArrayEquals(in, out, pipeline + " of " + in.length + " bytes");
  }

  @Test
  void noise_reads_back_through_any_two_or_three_filters() {
    for (int i = 0; i < FILTERS.size(); i++) {
      FilterSpec first = FILTERS.get(i);
      for (FilterSpec second : FILTERS) {
        // Several blocks of each filter, once as the first and once as the second.
        boolean large = THOROUGH || second.equals(FILTERS.get((i + 1) % FILTERS.size()));
        for (int length : large ? new int[] {1, 7, 64, 4097, 40_000} : new int[] {7, 4097}) {
          assertRoundTrip(stored(first, second).bind(1), noise(length));
          assertRoundTrip(stored(first, second, Filters.fletcher32()).bind(1), noise(length));
        }
      }
    }
  }

  @Test
  void noise_of_packed_numbers_reads_back_through_a_second_filter() {
    FixedPoint type = FixedPoint.of(8, Signedness.SIGNED, Endian.BIG);
    for (FilterSpec first : List.of(Filters.nbit(), Filters.scaleOffset())) {
      for (int count : new int[] {1, 3, 1000}) {
        FilterPipeline pipeline =
            stored(first, Filters.fletcher32(), Filters.lz4(1), Filters.deflate(0))
                .bind(FilterTarget.chunk(type, new long[] {count}, Optional.empty()));
        assertRoundTrip(pipeline, noise(8 * count));
      }
    }
  }

  @Test
  void a_filter_decodes_to_no_more_than_the_filter_before_it_encodes_to() {
    byte[] zeros = new byte[1 << 20];
    FilterPipeline bomb = stored(Filters.deflate(9));
    MemorySegment in = bomb.apply(MemorySegment.ofArray(zeros)).bytes();
    for (FilterSpec first : FILTERS) {
      FormatException e =
          assertThrows(
              FormatException.class,
              () -> stored(first, Filters.deflate(9)).bind(1).undo(in, 0, 1000),
              first.toString());
      assertEquals("inflated bytes", e.what(), first.toString());
    }
  }

  @Test
  void enlarged_noise_is_read_by_h5py() throws Exception {
    byte[] in = noise(4000);
    FilterPipeline pipeline = stored(szip(8, 2, 256), Filters.deflate(0), Filters.fletcher32());
    HexFormat hex = HexFormat.of();
    byte[] image = pipeline.apply(MemorySegment.ofArray(in)).bytes().toArray(ValueLayout.JAVA_BYTE);
    String script =
        """
        f = h5py.File('x', 'w', driver='core', backing_store=False)
        p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        p.set_chunk((4000,))
        p.set_szip(4, 2)
        p.set_deflate(0)
        p.set_fletcher32()
        s = h5py.h5s.create_simple((4000,))
        d = h5py.Dataset(h5py.h5d.create(f.id, b'd', h5py.h5t.STD_U8LE, s, p))
        d.id.write_direct_chunk((0,), bytes.fromhex('%s'))
        print(d.id.get_create_plist().get_filter(0)[2], d[...].tobytes().hex())
        """
            .formatted(hex.formatHex(image));
    assertEquals(List.of("(141, 2, 8, 256) " + hex.formatHex(in)), PythonOracle.run(script));
    assertRoundTrip(pipeline, in);
  }
}
