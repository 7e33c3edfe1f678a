package io.skerry.chunk.filter.deflate;

import java.util.Arrays;

/**
 * Divides planes into runs of neighbours that compress best together. A Huffman code fits one
 * distribution of bytes; the low bytes of detector values are noise and the high ones few numbers,
 * and one code for both makes both longer. But a code has to be written down, so planes that are
 * short or alike share one.
 *
 * <p>Costs are estimated from how often each byte occurs, without repetitions.
 */
final class PlaneGroups {
  private static final int BYTES = 256;

  /** Bits of a block without its code; bits per byte value that the code tells of, roughly. */
  private static final double BLOCK = 100;

  private static final double PER_SYMBOL = 4;
  private static final double STORED = 40;

  private PlaneGroups() {}

  /** Where groups begin, ascending, the first at 0; an end is the next begin or the end of all. */
  static int[] begins(byte[] bytes, int plane) {
    int planes = bytes.length / plane;
    int[] begins = new int[Math.max(1, planes)];
    int groups = 1;
    int[] group = histogram(bytes, 0, Math.min(plane, bytes.length));
    double groupCost = cost(group);
    for (int p = 1; p < planes; p++) {
      int end = p == planes - 1 ? bytes.length : (p + 1) * plane;
      int[] next = histogram(bytes, p * plane, end);
      double nextCost = cost(next);
      int[] both = sum(group, next);
      double bothCost = cost(both);
      if (groupCost + nextCost < bothCost) {
        begins[groups++] = p * plane;
        group = next;
        groupCost = nextCost;
      } else {
        group = both;
        groupCost = bothCost;
      }
    }
    return Arrays.copyOf(begins, groups);
  }

  private static int[] histogram(byte[] bytes, int from, int to) {
    int[] counts = new int[BYTES];
    for (int i = from; i < to; i++) {
      counts[bytes[i] & 0xff]++;
    }
    return counts;
  }

  private static int[] sum(int[] one, int[] other) {
    int[] counts = new int[BYTES];
    for (int i = 0; i < BYTES; i++) {
      counts[i] = one[i] + other[i];
    }
    return counts;
  }

  /** Bits that a block of such bytes takes. */
  private static double cost(int[] counts) {
    long total = 0;
    int symbols = 0;
    double logs = 0;
    for (int count : counts) {
      if (count > 0) {
        total += count;
        symbols++;
        logs += count * StrictMath.log(count);
      }
    }
    double entropy = total == 0 ? 0 : (total * StrictMath.log(total) - logs) / StrictMath.log(2);
    return Math.min(8.0 * total + STORED, entropy + BLOCK + PER_SYMBOL * symbols);
  }
}
