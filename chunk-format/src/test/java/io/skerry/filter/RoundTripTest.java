package io.skerry.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.ArrayType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.Signedness;
import io.skerry.exception.FormatException;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.FilterSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests that every filter restores its input in a round trip. */
class RoundTripTest {
  private static final List<FilterSpec> COMPRESSORS = compressors();

  private static List<FilterSpec> compressors() {
    List<FilterSpec> all = new ArrayList<>();
    for (Filters.BloscCodec codec : Filters.BloscCodec.values()) {
      for (Filters.BloscShuffle shuffle : Filters.BloscShuffle.values()) {
        for (int level : new int[] {0, 1, 5, 9}) {
          all.add(Filters.blosc(codec, level, shuffle));
        }
      }
    }
    for (int level : new int[] {1, 3, 9}) {
      all.add(Filters.zstd(level));
      all.add(Filters.bzip2(level));
      all.add(Filters.bitshuffleZstd(level));
      all.add(Filters.deflate(level));
    }
    all.addAll(
        List.of(
            Filters.lzf(),
            Filters.lz4(),
            Filters.lz4(64),
            Filters.lz4(1000),
            Filters.bitshuffle(),
            Filters.bitshuffleLz4(),
            Filters.shuffle(),
            Filters.fletcher32()));
    return all;
  }

  @Test
  void compressors_round_trip_bytes_of_any_length_and_element_size() {
    Random random = new Random(1);
    int skipped = 0;
    for (int round = 0; round < 1000; round++) {
      FilterSpec spec = COMPRESSORS.get(random.nextInt(COMPRESSORS.size()));
      int size = 1 + random.nextInt(random.nextInt(8) == 0 ? 300 : 17);
      int count = round < 200 ? round % 4 : random.nextInt(random.nextInt(20) == 0 ? 9000 : 400);
      byte[] in = data(random, size * count);
      FilterPipeline pipeline =
          FilterPipeline.of(spec)
              .withGrowth(random.nextBoolean() ? Filter.Growth.STORED : Filter.Growth.SKIPPED)
              .bind(size);
      skipped += roundTrip(pipeline, in, spec + " size=" + size + " count=" + count);
    }
    assertTrue(skipped > 10 && skipped < 500, "skipped=" + skipped);
  }

  @Test
  void native_memory_is_accepted_like_arrays() {
    Random random = new Random(2);
    try (Arena arena = Arena.ofConfined()) {
      for (FilterSpec spec : COMPRESSORS) {
        byte[] in = data(random, 4800);
        MemorySegment given = arena.allocate(in.length).copyFrom(MemorySegment.ofArray(in));
        FilterPipeline pipeline = FilterPipeline.of(spec).bind(8);
        FilterPipeline.Encoded encoded = pipeline.apply(given);
        MemorySegment stored =
            arena.allocate(encoded.bytes().byteSize()).copyFrom(encoded.bytes()).asReadOnly();
        MemorySegment out = pipeline.undo(stored, encoded.mask(), in.length);
        assertEquals(-1, out.mismatch(MemorySegment.ofArray(in)), spec.toString());
      }
    }
  }

  @Test
  void arrays_of_any_kind_are_accepted_even_if_they_are_read_only() {
    Random random = new Random(6);
    for (FilterSpec spec : COMPRESSORS) {
      byte[] in = data(random, 4800);
      MemorySegment bytes = MemorySegment.ofArray(in);
      FilterPipeline pipeline = FilterPipeline.of(spec).bind(8);
      for (MemorySegment given : List.of(bytes.asReadOnly(), inNumbers(bytes))) {
        FilterPipeline.Encoded encoded = pipeline.apply(given);
        MemorySegment made = encoded.bytes();
        for (MemorySegment stored : List.of(made.asReadOnly(), inNumbers(made))) {
          MemorySegment out = pipeline.undo(stored, encoded.mask(), in.length);
          assertEquals(-1, out.mismatch(bytes), spec.toString());
        }
      }
    }
  }

  /** Returns a copy of the bytes in an array of 8-byte numbers. */
  private static MemorySegment inNumbers(MemorySegment bytes) {
    long[] numbers = new long[Math.toIntExact((bytes.byteSize() + 7) / 8)];
    return MemorySegment.ofArray(numbers).asSlice(0, bytes.byteSize()).copyFrom(bytes);
  }

  @Test
  void nbit_round_trips_the_significant_bits_of_any_type() {
    Random random = new Random(3);
    for (int round = 0; round < 2000; round++) {
      Datatype type = round % 3 == 0 ? nested(random, 0) : number(random, 24);
      int count = 1 + random.nextInt(40);
      byte[] in = new byte[count * type.size()];
      for (int i = 0; i < count; i++) {
        fill(random, type, in, i * type.size());
      }
      FilterPipeline pipeline =
          FilterPipeline.of(Filters.nbit())
              .withGrowth(Filter.Growth.STORED)
              .bind(FilterTarget.chunk(type, new long[] {count}, Optional.empty()));
      roundTrip(pipeline, in, type.toString());
    }
  }

  @Test
  void scale_offset_round_trips_integers_of_any_size_sign_and_order() {
    Random random = new Random(4);
    for (int round = 0; round < 3000; round++) {
      int size = 1 << random.nextInt(4);
      FixedPoint type =
          FixedPoint.of(
              size,
              random.nextBoolean() ? Signedness.SIGNED : Signedness.UNSIGNED,
              random.nextBoolean() ? Endian.LITTLE : Endian.BIG);
      int count = random.nextInt(60);
      byte[] in = data(random, count * size);
      byte[] fill = data(random, size);
      for (int i = 0; i < count; i++) {
        if (random.nextInt(5) == 0) {
          System.arraycopy(fill, 0, in, i * size, size);
        }
      }
      Optional<MemorySegment> value =
          random.nextBoolean() ? Optional.of(MemorySegment.ofArray(fill)) : Optional.empty();
      FilterSpec spec =
          random.nextInt(4) == 0 ? Filters.scaleOffsetBits(8 * size) : Filters.scaleOffset();
      FilterPipeline pipeline =
          FilterPipeline.of(spec)
              .withGrowth(random.nextBoolean() ? Filter.Growth.STORED : Filter.Growth.SKIPPED)
              .bind(FilterTarget.chunk(type, new long[] {Math.max(1, count)}, value));
      if (count > 0) {
        roundTrip(pipeline, in, type + " " + value.isPresent());
      }
    }
  }

  @Test
  void szip_round_trips_pixels_of_any_size_line_and_block() {
    Random random = new Random(5);
    for (int round = 0; round < 3000; round++) {
      int size = List.of(1, 2, 4, 8).get(random.nextInt(4));
      int precision = random.nextBoolean() ? 8 * size : 1 + random.nextInt(8 * size);
      FixedPoint type =
          new FixedPoint(
              size,
              random.nextBoolean() ? Endian.LITTLE : Endian.BIG,
              Signedness.UNSIGNED,
              0,
              precision);
      int block = 2 * (1 + random.nextInt(16));
      long[] shape = {
        1 + random.nextInt(4), 1 + random.nextInt(random.nextInt(9) == 0 ? 9000 : 99)
      };
      int count = (int) (shape[0] * shape[1]);
      if (count < block) {
        continue;
      }
      byte[] in = new byte[count * size];
      long value = 0;
      int steps = random.nextInt(60);
      for (int i = 0; i < count; i++) {
        value = random.nextInt(9) == 0 ? random.nextLong() : value + random.nextInt(1 + steps);
        put(in, i * size, type, value);
      }
      Filters.SzipCoding coding = Filters.SzipCoding.values()[random.nextInt(2)];
      FilterPipeline pipeline =
          FilterPipeline.of(Filters.szip(coding, block))
              .withGrowth(random.nextBoolean() ? Filter.Growth.STORED : Filter.Growth.SKIPPED)
              .bind(FilterTarget.chunk(type, shape, Optional.empty()));
      roundTrip(pipeline, in, pipeline.filters() + " " + type);
    }
  }

  @Test
  void szip_round_trips_sections_of_any_length() {
    Random random = new Random(6);
    for (int round = 0; round < 300; round++) {
      byte[] in = new byte[1 + random.nextInt(random.nextInt(9) == 0 ? 20_000 : 99)];
      int value = 0;
      for (int i = 0; i < in.length; i++) {
        value = random.nextInt(9) == 0 ? random.nextInt(256) : value + random.nextInt(9);
        in[i] = (byte) value;
      }
      Filters.SzipCoding coding = Filters.SzipCoding.values()[random.nextInt(2)];
      FilterPipeline pipeline =
          FilterPipeline.of(Filters.shuffle(), Filters.szip(coding, 2 * (1 + random.nextInt(16))))
              .withGrowth(random.nextBoolean() ? Filter.Growth.STORED : Filter.Growth.SKIPPED)
              .bind(1 + random.nextInt(16));
      roundTrip(pipeline, in, pipeline.filters() + " " + in.length);
    }
  }

  @Test
  void bytes_that_do_not_fit_the_client_data_are_a_format_error_of_every_packing_filter() {
    Datatype packed = new FixedPoint(4, Endian.LITTLE, Signedness.SIGNED, 0, 20);
    FilterTarget target = FilterTarget.chunk(packed, new long[] {25}, Optional.empty());
    for (FilterSpec spec : List.of(Filters.nbit(), Filters.scaleOffset())) {
      FilterPipeline pipeline = FilterPipeline.of(spec).bind(target);
      assertThrows(
          FormatException.class,
          () -> pipeline.apply(MemorySegment.ofArray(new byte[96])),
          spec.toString());
    }
  }

  @Test
  void a_filter_that_cannot_be_applied_to_a_type_is_refused_in_bind() {
    Compound compound = new Compound(3, List.of(new Compound.Member("a", 0, Datatype.U16)));
    FilterTarget target = FilterTarget.chunk(compound, new long[] {50}, Optional.empty());
    for (FilterSpec spec :
        List.of(Filters.scaleOffset(), Filters.szip(Filters.SzipCoding.ENTROPY, 8))) {
      FilterPipeline pipeline = FilterPipeline.of(spec);
      var e = assertThrows(IllegalArgumentException.class, () -> pipeline.bind(target));
      assertTrue(e.getMessage().contains("compound[3]"), e.getMessage());
      assertEquals(pipeline, pipeline.bindWherePossible(target));
    }
    FilterPipeline packing = FilterPipeline.of(Filters.scaleOffset());
    assertThrows(IllegalArgumentException.class, () -> packing.bind(4));
    FilterPipeline szip = FilterPipeline.of(Filters.szip(Filters.SzipCoding.ENTROPY, 8));
    FixedPoint three = FixedPoint.of(3, Signedness.UNSIGNED, Endian.LITTLE);
    FilterTarget threes = FilterTarget.chunk(three, new long[] {64}, Optional.empty());
    assertThrows(IllegalArgumentException.class, () -> szip.bind(threes));
    FilterPipeline digits = FilterPipeline.of(Filters.scaleOffsetDigits(2));
    FilterTarget integers = FilterTarget.chunk(Datatype.I32, new long[] {5}, Optional.empty());
    assertThrows(IllegalArgumentException.class, () -> digits.bind(integers));
  }

  /** Checks a round trip and returns the filter mask. */
  private static int roundTrip(FilterPipeline pipeline, byte[] in, String what) {
    byte[] before = in.clone();
    FilterPipeline.Encoded encoded = pipeline.apply(MemorySegment.ofArray(in));
    MemorySegment out = pipeline.undo(encoded.bytes(), encoded.mask(), in.length);
    assertEquals(-1, out.mismatch(MemorySegment.ofArray(before)), what);
    assertEquals(-1, MemorySegment.ofArray(in).mismatch(MemorySegment.ofArray(before)), what);
    return encoded.mask();
  }

  private static byte[] data(Random random, int length) {
    byte[] bytes = new byte[length];
    int period = 1 + random.nextInt(300);
    int noise = random.nextInt(4);
    for (int i = 0; i < length; i++) {
      boolean fresh = i < period || random.nextInt(10) < (noise == 0 ? 10 : noise - 1);
      bytes[i] =
          fresh ? (byte) (noise == 3 ? random.nextInt(3) : random.nextInt()) : bytes[i - period];
    }
    return bytes;
  }

  private static FixedPoint number(Random random, int most) {
    int size = 1 + random.nextInt(most);
    int precision = 1 + random.nextInt(8 * size);
    int offset = random.nextInt(8 * size - precision + 1);
    return new FixedPoint(
        size,
        random.nextBoolean() ? Endian.LITTLE : Endian.BIG,
        Signedness.SIGNED,
        offset,
        precision);
  }

  private static Datatype nested(Random random, int depth) {
    return switch (depth > 2 ? random.nextInt(2) : random.nextInt(4)) {
      case 0 -> new Opaque(1 + random.nextInt(5), "");
      case 1 -> number(random, 9);
      case 2 -> new ArrayType(List.of(1 + random.nextInt(3), 2), nested(random, depth + 1));
      default -> {
        List<Compound.Member> members = new ArrayList<>();
        int at = random.nextInt(3);
        for (int i = 0; i <= random.nextInt(3); i++) {
          Datatype type = nested(random, depth + 1);
          members.add(new Compound.Member("m" + i, at, type));
          at += type.size() + random.nextInt(3);
        }
        yield new Compound(at, members);
      }
    };
  }

  /** Sets the significant bits of an element, which is initially 0, to random values. */
  private static void fill(Random random, Datatype type, byte[] out, int at) {
    switch (type) {
      case FixedPoint number -> {
        for (int bit = number.offset(); bit < number.offset() + number.precision(); bit++) {
          int place = number.order() == Endian.BIG ? number.size() - 1 - bit / 8 : bit / 8;
          out[at + place] |= (byte) ((random.nextInt() & 1) << bit % 8);
        }
      }
      case ArrayType array -> {
        for (int i = 0; i < array.size(); i += array.base().size()) {
          fill(random, array.base(), out, at + i);
        }
      }
      case Compound compound ->
          compound.members().forEach(m -> fill(random, m.type(), out, at + m.offset()));
      default -> {
        for (int i = 0; i < type.size(); i++) {
          out[at + i] = (byte) random.nextInt();
        }
      }
    }
  }

  private static void put(byte[] out, int at, FixedPoint type, long value) {
    long clean = value & -1L >>> (64 - type.precision());
    for (int i = 0; i < type.size(); i++) {
      int place = type.order() == Endian.BIG ? type.size() - 1 - i : i;
      out[at + place] = (byte) (clean >>> 8 * i);
    }
  }

  @Test
  void third_party_filters_are_found_as_services() {
    FilterSet installed = FilterSet.installed();
    assertEquals("rotated", installed.find(RotatedFilter.ID).orElseThrow().name());
    assertTrue(FilterSet.standard().find(RotatedFilter.ID).isEmpty());
    assertEquals(FilterSet.standard().byId().size() + 1, installed.byId().size());
    FilterPipeline pipeline =
        FilterPipeline.of(FilterSpec.of(RotatedFilter.ID, FilterSpec.Flag.MANDATORY, 3))
            .withFilterSet(installed);
    byte[] stored =
        pipeline
            .apply(MemorySegment.ofArray(new byte[] {1, 0}))
            .bytes()
            .toArray(ValueLayout.JAVA_BYTE);
    assertEquals(8, stored[0]);
    assertEquals(
        1, pipeline.undo(MemorySegment.ofArray(stored), 0, 2).get(ValueLayout.JAVA_BYTE, 0));
  }
}
