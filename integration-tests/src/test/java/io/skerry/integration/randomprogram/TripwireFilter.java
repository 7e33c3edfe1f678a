package io.skerry.integration.randomprogram;

import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A user's filter that leaves the bytes unchanged, and throws once after {@link #arm}. All ranks of
 * a JVM share the countdown, so any rank may fail.
 */
public final class TripwireFilter implements Filter {
  static final String MESSAGE = "a mistake in a filter";
  private static final int ID = 40_002;
  private static final AtomicInteger CALLS_LEFT = new AtomicInteger(-1);

  /** Returns the specification of the filter in a pipeline. */
  static FilterSpec spec() {
    return FilterSpec.of(ID, FilterSpec.Flag.MANDATORY);
  }

  /** Makes a later call throw: 0 for the next one. */
  static void arm(int call) {
    CALLS_LEFT.set(call);
  }

  static void disarm() {
    CALLS_LEFT.set(-1);
  }

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "tripwire";
  }

  @Override
  public Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth) {
    step();
    return Optional.of(in);
  }

  @Override
  public MemorySegment decode(MemorySegment in, FilterSpec spec, long limit) {
    step();
    return in;
  }

  private static void step() {
    if (CALLS_LEFT.getAndUpdate(left -> Math.max(-1, left - 1)) == 0) {
      throw new IllegalStateException(MESSAGE);
    }
  }
}
