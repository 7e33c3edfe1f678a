package io.skerry.integration.interop.virtual;

import io.skerry.exception.FormatException;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Leaves the bytes of chunks unchanged and counts the decoded chunks. Each test has its own counts;
 * the client data of the filter contain their number.
 */
public final class CountedFilter implements Filter {
  private static final int ID = 40_003;
  private static final Map<Integer, Counts> COUNTS = new ConcurrentHashMap<>();

  /** Counts the chunks that this process has decoded. */
  public static final class Counts {
    private final AtomicInteger decoded = new AtomicInteger();
    private final AtomicInteger failing = new AtomicInteger(-1);

    /** Returns the number of decoded chunks since the last call. */
    public int takeDecoded() {
      return decoded.getAndSet(0);
    }

    /** Makes the decoding of a later chunk fail: 0 for the next one. */
    public void fail(int later) {
      failing.set(later);
    }

    /** Returns whether a chunk has failed since {@link #fail}, and cancels a pending failure. */
    public boolean takeFailed() {
      return failing.getAndSet(-1) < 0;
    }
  }

  /** Returns the counts with a number. */
  public static Counts counts(int number) {
    return COUNTS.computeIfAbsent(number, _ -> new Counts());
  }

  /** Returns a filter whose decoded chunks are counted under a number. */
  public static FilterSpec spec(int number) {
    return FilterSpec.of(ID, FilterSpec.Flag.MANDATORY, number);
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
    Counts counts = counts(spec.clientData()[0]);
    counts.decoded.incrementAndGet();
    if (counts.failing.getAndUpdate(left -> Math.max(-1, left - 1)) == 0) {
      throw new FormatException("counted chunk", "readable", "a test makes it fail");
    }
    return in;
  }
}
