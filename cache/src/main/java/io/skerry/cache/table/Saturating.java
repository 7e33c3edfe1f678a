package io.skerry.cache.table;

/** Sums and products of bytes that end at the greatest number instead of becoming negative. */
public final class Saturating {
  private Saturating() {}

  /** The product of two numbers that are not negative. */
  public static long product(long a, long b) {
    return Math.multiplyHigh(a, b) == 0 && a * b >= 0 ? a * b : Long.MAX_VALUE;
  }

  /** The sum of two numbers that are not negative. */
  public static long sum(long a, long b) {
    return a + b >= 0 ? a + b : Long.MAX_VALUE;
  }
}
