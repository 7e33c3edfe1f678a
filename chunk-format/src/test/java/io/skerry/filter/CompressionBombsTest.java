package io.skerry.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.FilterSet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that a filter refuses output beyond its declared size before it allocates memory for it.
 */
class CompressionBombsTest {
  private static final int INFLATED = 16 << 20;
  private static final int DECLARED = 4096;

  /** Limit of the memory for the result and for intermediate data, in bytes. */
  private static final long ROOM = 4 * DECLARED;

  static List<FilterSpec> compressors() {
    List<FilterSpec> all = new ArrayList<>();
    for (Filters.BloscCodec codec : Filters.BloscCodec.values()) {
      all.add(Filters.blosc(codec, 5, Filters.BloscShuffle.BYTES));
    }
    all.addAll(
        List.of(
            Filters.deflate(9),
            Filters.zstd(3),
            Filters.bzip2(9),
            Filters.lzf(),
            Filters.lz4(),
            Filters.bitshuffleLz4(),
            Filters.bitshuffleZstd(3),
            Filters.nbit(),
            Filters.scaleOffset(),
            Filters.szip(Filters.SzipCoding.NEAREST_NEIGHBOR, 32)));
    return all;
  }

  @ParameterizedTest
  @MethodSource("compressors")
  void output_beyond_the_declared_size_is_refused_without_taking_its_memory(FilterSpec spec) {
    FilterTarget target =
        FilterTarget.chunk(Datatype.I32, new long[] {INFLATED / 4}, Optional.empty());
    FilterPipeline pipeline = FilterPipeline.of(spec).bind(target);
    FilterPipeline.Encoded bomb = pipeline.apply(MemorySegment.ofArray(new byte[INFLATED]));
    assertEquals(0, bomb.mask());
    assertTrue(bomb.bytes().byteSize() <= INFLATED, () -> spec + " " + bomb.bytes().byteSize());
    long[] taken = {0};
    SegmentAllocator counting =
        (bytes, _) -> {
          taken[0] += bytes;
          return MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
        };
    assertThrows(FormatException.class, () -> pipeline.undo(bomb.bytes(), 0, DECLARED, counting));
    assertTrue(taken[0] <= ROOM, () -> spec + " took " + taken[0]);
  }

  @Test
  void more_bytes_than_the_limit_are_refused_by_a_filter_that_packs_nothing() {
    FilterTarget target = FilterTarget.chunk(Datatype.I32, new long[] {25}, Optional.empty());
    MemorySegment bytes = MemorySegment.ofArray(new byte[101]);
    for (FilterSpec spec : List.of(Filters.nbit(), Filters.scaleOffsetBits(32))) {
      Filter filter = FilterSet.standard().find(spec.id()).orElseThrow();
      FilterSpec idle = filter.bind(spec, target).orElseThrow();
      assertEquals(101, filter.decode(bytes, idle, 101).byteSize(), spec.toString());
      assertThrows(FormatException.class, () -> filter.decode(bytes, idle, 100), spec.toString());
    }
  }
}
