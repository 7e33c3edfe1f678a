package io.skerry.chunk.filter.deflate;

import java.util.Arrays;

/**
 * A prefix code for symbols with given frequencies, in the canonical form of RFC 1951, section
 * 3.2.2, in which the lengths determine the codes.
 *
 * <p>The lengths are those of a Huffman code, computed with two queues. Codes that are too long are
 * cut to the maximum length, and shorter codes are lengthened until all codes fit.
 */
final class HuffmanCode {
  private static final int SYMBOL_BITS = 9;
  private static final int SYMBOL_MASK = (1 << SYMBOL_BITS) - 1;

  private final int[] lengths;

  private HuffmanCode(int[] lengths) {
    this.lengths = lengths;
  }

  /**
   * Returns the code for symbols with the given frequencies.
   *
   * @param counts the frequency of each symbol; at most 512 symbols, of which at least two occur
   * @param longest the maximum length of a code in bits; at most 2^longest symbols may occur
   * @throws IllegalArgumentException if fewer than two symbols occur
   */
  static HuffmanCode of(int[] counts, int longest) {
    long[] sorted = new long[counts.length];
    int used = 0;
    for (int symbol = 0; symbol < counts.length; symbol++) {
      if (counts[symbol] > 0) {
        sorted[used++] = (long) counts[symbol] << SYMBOL_BITS | symbol;
      }
    }
    if (used < 2) {
      throw new IllegalArgumentException("a code for fewer than two symbols: symbols=" + used);
    }
    Arrays.sort(sorted, 0, used);
    int[] ofLength = shortened(numbersOfLengths(sorted, used), longest);
    int[] lengths = new int[counts.length];
    int next = 0;
    // The rarest symbols get the longest codes.
    for (int length = longest; length > 0; length--) {
      for (int i = 0; i < ofLength[length]; i++) {
        lengths[(int) sorted[next++] & SYMBOL_MASK] = length;
      }
    }
    return new HuffmanCode(lengths);
  }

  /** Returns, for each code length in bits, the number of symbols with a code of that length. */
  private static int[] numbersOfLengths(long[] sorted, int used) {
    // Trees are created in the order of their weights, so both queues stay sorted.
    long[] weights = new long[used - 1];
    int[] parents = new int[used - 1];
    int[] parentsOfLeaves = new int[used];
    int leaf = 0;
    int tree = 0;
    for (int made = 0; made < used - 1; made++) {
      long weight = 0;
      for (int child = 0; child < 2; child++) {
        boolean leafIsLighter =
            leaf < used && (tree >= made || sorted[leaf] >>> SYMBOL_BITS <= weights[tree]);
        if (leafIsLighter) {
          weight += sorted[leaf] >>> SYMBOL_BITS;
          parentsOfLeaves[leaf++] = made;
        } else {
          weight += weights[tree];
          parents[tree++] = made;
        }
      }
      weights[made] = weight;
    }
    int[] depths = new int[used - 1];
    for (int i = used - 3; i >= 0; i--) {
      depths[i] = depths[parents[i]] + 1;
    }
    int[] numbers = new int[used + 1];
    for (int i = 0; i < used; i++) {
      numbers[depths[parentsOfLeaves[i]] + 1]++;
    }
    return numbers;
  }

  private static int[] shortened(int[] numbers, int longest) {
    int[] result = Arrays.copyOf(numbers, Math.max(numbers.length, longest + 1));
    for (int length = longest + 1; length < result.length; length++) {
      result[longest] += result[length];
    }
    // A code is complete if the sum of 2^-length over all symbols is 1.
    long excess = -(1L << longest);
    for (int length = 1; length <= longest; length++) {
      excess += (long) result[length] << (longest - length);
    }
    while (excess > 0) {
      // Remove one code of the maximum length and split a shorter code into two codes that
      // are one bit longer.
      int length = longest - 1;
      while (result[length] == 0) {
        length--;
      }
      result[length]--;
      result[length + 1] += 2;
      result[longest]--;
      excess--;
    }
    return Arrays.copyOf(result, longest + 1);
  }

  /** Returns the code length of a symbol, in bits; 0 if the symbol does not occur. */
  int length(int symbol) {
    return lengths[symbol];
  }

  /** Returns the lengths of the codes in bits, by symbol; 0 for a symbol that does not occur. */
  int[] lengths() {
    return lengths.clone();
  }

  /**
   * Returns one entry per symbol: the code in the low 16 bits, its first bit lowest, and the code
   * length in bits starting at bit 16; 0 if the symbol does not occur.
   */
  int[] codes() {
    int[] next = new int[17];
    for (int length : lengths) {
      next[length + 1] += length > 0 ? 1 : 0;
    }
    int code = 0;
    for (int length = 1; length < next.length; length++) {
      code = (code + next[length]) << 1;
      next[length] = code;
    }
    int[] codes = new int[lengths.length];
    for (int symbol = 0; symbol < lengths.length; symbol++) {
      int length = lengths[symbol];
      if (length > 0) {
        codes[symbol] = Integer.reverse(next[length]++) >>> (32 - length) | length << 16;
      }
    }
    return codes;
  }
}
