package io.skerry.chunk.dataspace;

import java.util.Arrays;

/**
 * Keys in ascending order, with their original positions; equal keys keep their order. No objects
 * are allocated for individual keys. The position and as many high bits of the key as fit are
 * packed into one number, so that an ordinary sort of numbers can be used. Keys that are equal in
 * these bits are sorted again by their remaining bits.
 */
public final class SortOrder {
  private final long[] keys;

  /** For each key, its high bits followed by its position; in ascending order. */
  private final long[] packed;

  private final int positionBits;

  /** Number of low key bits that did not fit. */
  private final int dropped;

  private SortOrder(long[] keys, long[] packed, int positionBits, int dropped) {
    this.keys = keys;
    this.packed = packed;
    this.positionBits = positionBits;
    this.dropped = dropped;
  }

  /**
   * Sorts keys.
   *
   * @param keys the keys, which must not be negative and must not change while the order is in use
   */
  public static SortOrder of(long[] keys) {
    long bits = 0;
    for (long key : keys) {
      bits |= key;
    }
    int positionBits = 32 - Integer.numberOfLeadingZeros(Math.max(1, keys.length - 1));
    int keyBits = 64 - Long.numberOfLeadingZeros(bits);
    int dropped = Math.max(0, keyBits + positionBits - 63);
    long[] packed = new long[keys.length];
    for (int i = 0; i < packed.length; i++) {
      packed[i] = keys[i] >>> dropped << positionBits | i;
    }
    Arrays.sort(packed);
    SortOrder sorted = new SortOrder(keys, packed, positionBits, dropped);
    if (dropped > 0) {
      sorted.sortTies();
    }
    return sorted;
  }

  private void sortTies() {
    int from = 0;
    while (from < packed.length) {
      int to = from + 1;
      while (to < packed.length && packed[to] >>> positionBits == packed[from] >>> positionBits) {
        to++;
      }
      if (to - from > 1) {
        sortTie(from, to);
      }
      from = to;
    }
  }

  /**
   * Sorts keys with equal high bits by the bits that were dropped. There are at most 31 dropped
   * bits and 31 position bits, which together always fit into one number, so nothing is dropped
   * again.
   */
  private void sortTie(int from, int to) {
    long[] low = new long[to - from];
    for (int i = from; i < to; i++) {
      low[i - from] = keys[position(i)] & (1L << dropped) - 1;
    }
    SortOrder tie = of(low);
    long[] given = Arrays.copyOfRange(packed, from, to);
    for (int i = from; i < to; i++) {
      packed[i] = given[tie.position(i - from)];
    }
  }

  /** Returns the number of keys. */
  int size() {
    return packed.length;
  }

  /** Returns the key at an index in the sorted order. */
  public long key(int place) {
    return dropped == 0 ? packed[place] >>> positionBits : keys[position(place)];
  }

  /** Returns the original position of the key at an index in the sorted order. */
  public int position(int place) {
    return (int) (packed[place] & (1L << positionBits) - 1);
  }
}
