package io.skerry.chunk.space;

import java.util.Arrays;

/** The stable order in which keys ascend, without an object per key. */
final class SortOrder {
  private static final int DIGIT = 11;

  private SortOrder() {}

  /** Positions of the keys, which are not negative, in ascending order of key, then position. */
  static int[] of(long[] keys) {
    int n = keys.length;
    long max = 0;
    for (long key : keys) {
      max = Math.max(max, key);
    }
    int positionBits = 32 - Integer.numberOfLeadingZeros(Math.max(1, n - 1));
    int keyBits = 64 - Long.numberOfLeadingZeros(max);
    int[] order = new int[n];
    if (keyBits + positionBits > 63) {
      Arrays.setAll(order, i -> i);
      return refine(order, keys);
    }
    long[] packed = new long[n];
    for (int i = 0; i < n; i++) {
      packed[i] = keys[i] << positionBits | i;
    }
    Arrays.sort(packed);
    long mask = (1L << positionBits) - 1;
    for (int i = 0; i < n; i++) {
      order[i] = (int) (packed[i] & mask);
    }
    return order;
  }

  /** The order by key, and among equal keys the order given: a radix sort, lowest digit first. */
  static int[] refine(int[] order, long[] keys) {
    long varying = 0;
    for (long key : keys) {
      varying |= key ^ keys[0];
    }
    int[] from = order.clone();
    int[] to = new int[order.length];
    for (int shift = 0; shift < 64; shift += DIGIT) {
      if ((varying >>> shift & ((1 << DIGIT) - 1)) != 0) {
        scatter(from, to, keys, shift);
        int[] swap = from;
        from = to;
        to = swap;
      }
    }
    return from;
  }

  private static void scatter(int[] from, int[] to, long[] keys, int shift) {
    int mask = (1 << DIGIT) - 1;
    int[] next = new int[mask + 2];
    for (int i : from) {
      next[(int) (keys[i] >>> shift & mask) + 1]++;
    }
    for (int d = 0; d < mask; d++) {
      next[d + 1] += next[d];
    }
    for (int i : from) {
      to[next[(int) (keys[i] >>> shift & mask)]++] = i;
    }
  }
}
