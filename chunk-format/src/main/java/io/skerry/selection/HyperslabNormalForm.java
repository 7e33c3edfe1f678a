package io.skerry.selection;

import java.util.Arrays;

/**
 * Converts hyperslabs to a normal form. Hyperslabs that select the same elements have equal normal
 * forms, except that an unlimited number of adjacent blocks may be kept. See {@link
 * Hyperslab#normal}.
 */
final class HyperslabNormalForm {
  /** For each rank, a shared array of ones, which must not be changed. */
  private static final long[][] ONES = new long[Shape.MAX_RANK + 1][];

  static {
    for (int rank = 0; rank < ONES.length; rank++) {
      ONES[rank] = new long[rank];
      Arrays.fill(ONES[rank], 1);
    }
  }

  private HyperslabNormalForm() {}

  /**
   * The treatment of an unlimited number of adjacent blocks: kept, or joined into one unlimited
   * block.
   */
  enum Unlimited {
    KEPT,
    JOINED
  }

  /**
   * Returns an array of ones, which must not be changed.
   *
   * @param rank the length of the array, capped at the maximum rank
   */
  static long[] ones(int rank) {
    return ONES[Math.min(rank, Shape.MAX_RANK)];
  }

  static Hyperslab of(Hyperslab pattern, Unlimited unlimited) {
    int rank = pattern.dimensions();
    if (pattern.isEmpty()) {
      long[] zeros = new long[rank];
      return new Hyperslab(zeros, ones(rank), zeros, zeros);
    }
    long[] start = new long[rank];
    long[] stride = new long[rank];
    long[] count = new long[rank];
    long[] block = new long[rank];
    for (int d = 0; d < rank; d++) {
      long s = pattern.strideAt(d);
      long c = pattern.countAt(d);
      long b = pattern.blockAt(d);
      boolean joins = s < b || s == b && unlimited == Unlimited.JOINED;
      if (c == Shape.UNLIMITED && joins) {
        b = Shape.UNLIMITED;
        c = 1;
      } else if (c > 1 && s <= b) {
        b = (c - 1) * s + b;
        c = 1;
      }
      start[d] = pattern.startAt(d);
      stride[d] = c == 1 ? 1 : s;
      count[d] = c;
      block[d] = b;
    }
    return new Hyperslab(start, stride, count, block);
  }
}
