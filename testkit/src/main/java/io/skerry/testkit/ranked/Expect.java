package io.skerry.testkit.ranked;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * Assertions of ranked cases. Each failure is an {@link AssertionError} and is also printed
 * immediately, because a collective {@code close} that the other ranks never call may keep the
 * error from propagating.
 */
public final class Expect {
  private Expect() {}

  /** An action for {@link #thrown}. */
  @FunctionalInterface
  public interface Action {
    /** Runs the action, which may throw any exception. */
    void run() throws Exception;
  }

  /** Requires that two values are equal. */
  public static void equal(Object expected, Object actual, String what) {
    if (!Objects.equals(expected, actual)) {
      throw failure("%s: expected=%s actual=%s".formatted(what, expected, actual));
    }
  }

  /** Requires that a claim is true. */
  public static void that(boolean claim, String what) {
    if (!claim) {
      throw failure(what);
    }
  }

  /** Requires that the bytes are equal; a failure names the first byte that differs. */
  public static void bytes(byte[] expected, MemorySegment actual, String what) {
    equal((long) expected.length, actual.byteSize(), what + ", length");
    long at = MemorySegment.ofArray(expected).mismatch(actual);
    if (at >= 0) {
      throw failure(
          "%s: at=%d of %d expected=%d actual=%d"
              .formatted(
                  what,
                  at,
                  expected.length,
                  expected[(int) at],
                  actual.get(ValueLayout.JAVA_BYTE, at)));
    }
  }

  /** Requires that the action throws an exception of the given type, and returns the exception. */
  public static <T extends Throwable> T thrown(Class<T> type, Action action, String what) {
    try {
      action.run();
    } catch (Throwable t) {
      if (type.isInstance(t)) {
        return type.cast(t);
      }
      var failure = failure("%s: expected=%s actual=%s".formatted(what, type.getName(), t));
      failure.initCause(t);
      throw failure;
    }
    throw failure("%s: expected=%s actual=nothing".formatted(what, type.getName()));
  }

  private static AssertionError failure(String text) {
    System.err.printf("claim fails in thread %s: %s%n", Thread.currentThread().getName(), text);
    return new AssertionError(text);
  }
}
