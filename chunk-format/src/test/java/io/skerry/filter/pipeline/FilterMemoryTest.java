package io.skerry.filter.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.MemoryLimitException;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests pipelines whose filters lack memory, or get memory that they cannot access. */
class FilterMemoryTest {
  @Test
  void a_filter_that_exhausts_the_heap_fails_with_the_limit() {
    FilterPipeline pipeline =
        FilterPipeline.of(FilterSpec.of(ExhaustingFilter.ID, FilterSpec.Flag.OPTIONAL))
            .withFilterSet(FilterSet.standard().with(new ExhaustingFilter()));
    MemorySegment bytes = MemorySegment.ofArray(new byte[9]);
    for (MemoryLimitException refusal :
        List.of(
            assertThrows(MemoryLimitException.class, () -> pipeline.apply(bytes)),
            assertThrows(MemoryLimitException.class, () -> pipeline.undo(bytes, 0, 9)))) {
      assertEquals("-Xmx", refusal.option());
      assertTrue(refusal.getCause() instanceof OutOfMemoryError, refusal.toString());
    }
  }

  /** A filter whose working memory does not fit into the heap. */
  private static final class ExhaustingFilter implements Filter {
    static final int ID = 41_003;

    @Override
    public int id() {
      return ID;
    }

    @Override
    public String name() {
      return "exhausting";
    }

    @Override
    public Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth) {
      throw new OutOfMemoryError("Java heap space");
    }

    @Override
    public MemorySegment decode(MemorySegment in, FilterSpec spec, long limit) {
      throw new OutOfMemoryError("Java heap space");
    }
  }

  @Test
  void memory_that_is_no_longer_accessible_is_not_taken_for_damaged_data() {
    MemorySegment closed;
    try (Arena arena = Arena.ofConfined()) {
      closed = arena.allocate(64);
    }
    for (FilterSpec spec :
        List.of(
            Filters.shuffle(4),
            Filters.fletcher32(),
            Filters.deflate(1),
            Filters.bzip2(1),
            Filters.lzf(),
            Filters.lz4(),
            Filters.zstd(1))) {
      FilterPipeline pipeline = FilterPipeline.of(spec);
      assertThrows(IllegalStateException.class, () -> pipeline.apply(closed), spec::toString);
      assertThrows(
          IllegalStateException.class, () -> pipeline.undo(closed, 0, 1000), spec::toString);
    }
  }
}
