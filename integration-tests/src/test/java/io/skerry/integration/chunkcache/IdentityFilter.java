package io.skerry.integration.chunkcache;

import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Leaves the bytes as they are, so that what is stored of a filtered chunk tells which chunk it is.
 * To the library it is a filter like any other: nobody knows what comes out of it.
 */
public final class IdentityFilter implements Filter {
  private static final int ID = 40_001;

  /** The filter in a pipeline. */
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
