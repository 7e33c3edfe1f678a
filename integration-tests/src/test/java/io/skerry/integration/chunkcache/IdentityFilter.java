package io.skerry.integration.chunkcache;

import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A filter that leaves the bytes unchanged, so that the stored bytes of a filtered chunk identify
 * the chunk. The library treats it like any other filter.
 */
public final class IdentityFilter implements Filter {
  private static final int ID = 40_001;

  /** Returns the specification of the filter in a pipeline. */
  static FilterSpec spec() {
    return FilterSpec.of(ID, FilterSpec.Flag.MANDATORY);
  }

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "plain";
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
