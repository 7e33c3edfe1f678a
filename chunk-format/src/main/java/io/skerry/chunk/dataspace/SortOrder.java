package io.skerry.chunk.dataspace;

import java.util.Arrays;

/**
 * Keys in ascending order, and where each stood before; equal keys keep their order. No object per
 * key. Key and position stand in one number as far as they fit, so that the plain sort of numbers
 * does; the bits that did not fit are sorted among those keys that are equal without them.
 */
public final class SortOrder {
  private final long[] keys;

  /** In ascending order: the high bits of a key, then its position. */
  private final long[] packed;

  private final int positionBits;

  /** Low bits of the keys for which there was no room. */
  private final int dropped;

  private SortOrder(long[] keys, long[] packed, int positionBits, int dropped) {
    this.keys = keys;
    this.packed = packed;
    this.positionBits = positionBits;
    this.dropped = dropped;
  }

  /** Sorts keys that are not negative; they must not change as long as the order is used. */
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

  /** At most 31 low bits and as many of the position: they do fit. */
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

  /** Number of keys. */
  int size() {
    return packed.length;
  }

  /** The key at a place of the order. */
  public long key(int place) {
    return dropped == 0 ? packed[place] >>> positionBits : keys[position(place)];
  }

  /** Where the key at a place of the order stood before. */
  public int position(int place) {
    return (int) (packed[place] & (1L << positionBits) - 1);
  }
}
