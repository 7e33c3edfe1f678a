package io.skerry.integration.interop.virtual;

import io.skerry.exception.FormatException;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Leaves the bytes of chunks as they are, and counts the chunks that are decoded. */
public final class CountedFilter implements Filter {
  private static final int ID = 40_003;

  /** The number of decoded chunks. */
  static final AtomicInteger DECODED = new AtomicInteger();

  /** The number of chunks that will fail to decode. */
  static final AtomicInteger FAILING = new AtomicInteger();

  static FilterSpec spec() {
    return FilterSpec.of(ID, FilterSpec.Flag.MANDATORY);
  }

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "counted";
  }

  @Override
  public Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth) {
    return Optional.of(in);
  }

  @Override
  public MemorySegment decode(MemorySegment in, FilterSpec spec, long limit) {
    DECODED.incrementAndGet();
    if (FAILING.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new FormatException("counted chunk", "readable", "a test makes it fail");
    }
    return in;
  }
}
