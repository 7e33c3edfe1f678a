package io.skerry.chunk.space;

import java.util.Arrays;

/**
 * Keys in ascending order, and where each stood before; equal keys keep their order. No object per
 * key.
 *
 * @param keys the keys, ascending
 * @param order the earlier position of each
 */
record SortOrder(long[] keys, int[] order) {
  private static final int DIGIT = 11;

  /** Sorts keys that are not negative. */
  static SortOrder of(long[] keys) {
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
    // key and position in one number, so that the plain sort of numbers does
    long[] packed = new long[n];
    for (int i = 0; i < n; i++) {
      packed[i] = keys[i] << positionBits | i;
    }
    Arrays.sort(packed);
    long mask = (1L << positionBits) - 1;
    for (int i = 0; i < n; i++) {
      order[i] = (int) (packed[i] & mask);
      packed[i] >>>= positionBits;
    }
    return new SortOrder(packed, order);
  }

  /** The order by key, and among equal keys the order given: a radix sort, lowest digit first. */
  static SortOrder refine(int[] given, long[] keys) {
    long varying = 0;
    for (long key : keys) {
      varying |= key ^ keys[0];
    }
    int[] from = given.clone();
    int[] to = new int[given.length];
    for (int shift = 0; shift < 64; shift += DIGIT) {
      if ((varying >>> shift & ((1 << DIGIT) - 1)) != 0) {
        distribute(from, to, keys, shift);
        int[] swap = from;
        from = to;
        to = swap;
      }
    }
    int[] order = from;
    long[] sorted = new long[keys.length];
    Arrays.setAll(sorted, i -> keys[order[i]]);
    return new SortOrder(sorted, order);
  }

  private static void distribute(int[] from, int[] to, long[] keys, int shift) {
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
