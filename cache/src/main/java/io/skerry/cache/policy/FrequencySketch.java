package io.skerry.cache.policy;

import io.skerry.cache.EvictionPolicy;
import java.util.Arrays;

/**
 * Estimates how often chunk numbers occurred recently, with a count-min sketch of four rows of
 * 4-bit counters. A number has one counter in each row, which it may share with other numbers; the
 * smallest of the four is the estimate. Only the smallest counters are incremented, which reduces
 * the effect of sharing. When there have been ten times as many occurrences as expected chunk
 * numbers, all counters are halved, so that old frequencies are forgotten.
 *
 * <p>Sources: G. Cormode, S. Muthukrishnan: An improved data stream summary, 2005 (sketch); C.
 * Estan, G. Varghese: New directions in traffic measurement, 2002 (incrementing the smallest);
 * TinyLFU, as in {@link EvictionPolicy#TINY_LFU} (halving).
 */
final class FrequencySketch {
  /** The highest estimate. */
  static final int MOST = 15;

  static final int COUNTS_PER_ROUND = 10;

  private static final int ROWS = 4;
  private static final int COUNTERS_PER_WORD = Long.SIZE / 4;
  private static final int MOST_COUNTERS = 1 << 26;

  /** Number of counters in each row for each expected chunk number. */
  private static final int ROOM = 4;

  /** Factor by which a sketch must exceed its required size before it is shrunk. */
  private static final int LOOSE = 64;

  /**
   * The minimum for the expected number of distinct chunk numbers, so that a small cache does not
   * halve its counters too often.
   */
  private static final int FEWEST = 64;

  /** Mask of the bits that may be set in the counters of a word after halving. */
  private static final long HALVED = 0x7777777777777777L;

  private static final long ODD = 0x1111111111111111L;

  /**
   * Odd multipliers, one for each row: digits of the golden ratio and of other irrational numbers.
   */
  private static final long[] MULTIPLIERS = {
    0x9E3779B97F4A7C15L, 0xB7E151628AED2A6BL, 0xC90FDAA22168C235L, 0xB504F333F9DE6485L
  };

  private int counters = ROOM * FEWEST;
  private final long[][] rows = new long[ROWS][ROOM * FEWEST / COUNTERS_PER_WORD];
  private int expected = FEWEST;
  private long counted;

  /**
   * Adapts the size of the sketch to the expected number of frequent chunk numbers. When the sketch
   * grows, the counters are duplicated; when it shrinks, they are reset.
   */
  void expect(int numbers) {
    expected = Math.max(FEWEST, numbers);
    if (counters > LOOSE * ROOM * (long) expected) {
      // Most of the counters would be unused, and halving all of them would take a long time.
      shrink(expected);
    }
    while (counters < (long) ROOM * expected && counters < MOST_COUNTERS) {
      counters *= 2;
      for (int row = 0; row < ROWS; row++) {
        long[] old = rows[row];
        rows[row] = Arrays.copyOf(old, 2 * old.length);
        System.arraycopy(old, 0, rows[row], old.length, old.length);
      }
    }
  }

  private void shrink(int numbers) {
    counters = ROOM * FEWEST;
    while (counters < (long) ROOM * numbers) {
      counters *= 2;
    }
    for (int row = 0; row < ROWS; row++) {
      rows[row] = new long[counters / COUNTERS_PER_WORD];
    }
    counted = 0;
  }

  /** Adds one occurrence of a number. */
  void count(long number) {
    int estimate = estimate(number);
    if (estimate < MOST) {
      for (int row = 0; row < ROWS; row++) {
        int at = counter(row, number);
        if (get(row, at) == estimate) {
          rows[row][at / COUNTERS_PER_WORD] += 1L << shift(at);
        }
      }
    }
    counted++;
    if (counted >= (long) COUNTS_PER_ROUND * expected) {
      halve();
    }
  }

  /** Returns the estimated recent frequency of a number, at most {@link #MOST}. */
  int estimate(long number) {
    int least = MOST;
    for (int row = 0; row < ROWS; row++) {
      least = Math.min(least, get(row, counter(row, number)));
    }
    return least;
  }

  private void halve() {
    long odd = 0;
    for (long[] row : rows) {
      for (int word = 0; word < row.length; word++) {
        odd += Long.bitCount(row[word] & ODD);
        row[word] = row[word] >>> 1 & HALVED;
      }
    }
    // The counts that odd counters lose by rounding are subtracted.
    counted = Math.max(0, counted - odd / ROWS) / 2;
  }

  private int counter(int row, long number) {
    // The high half of a product depends on all bits of the number.
    long mixed = (number ^ number >>> Integer.SIZE) * MULTIPLIERS[row];
    return (int) (mixed >>> Integer.SIZE ^ mixed >>> 47) & counters - 1;
  }

  private int get(int row, int at) {
    return (int) (rows[row][at / COUNTERS_PER_WORD] >>> shift(at)) & MOST;
  }

  private static int shift(int at) {
    return 4 * (at % COUNTERS_PER_WORD);
  }
}
