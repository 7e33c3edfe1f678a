package io.skerry.cache.table;

/** Saturating arithmetic for sizes: results that would overflow become {@link Long#MAX_VALUE}. */
public final class Saturating {
  private Saturating() {}

  /** Returns the product of two nonnegative numbers. */
  public static long product(long a, long b) {
    return Math.multiplyHigh(a, b) == 0 && a * b >= 0 ? a * b : Long.MAX_VALUE;
  }

  /** Returns the sum of two nonnegative numbers. */
  public static long sum(long a, long b) {
    return a + b >= 0 ? a + b : Long.MAX_VALUE;
  }
}
