package io.skerry.chunk.filter.deflate;

import java.util.Arrays;

/**
 * Divides byte planes into groups of adjacent planes. A plane joins the group before it if a common
 * Huffman code is estimated to take no more space than separate codes.
 *
 * <p>The estimates use byte frequencies and ignore repeated strings.
 */
final class PlaneGroups {
  private static final int BYTES = 256;

  /** The approximate overhead of a block in bits, excluding the description of its Huffman code. */
  private static final double BLOCK = 100;

  /** The approximate size of the description of a Huffman code, in bits per symbol. */
  private static final double PER_SYMBOL = 4;

  private static final double STORED = 40;

  private PlaneGroups() {}

  /**
   * Returns the starts of the groups in ascending order. The first is 0; each group ends where the
   * next one starts, or at the end of the bytes.
   */
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

  /** Returns the estimated size of a block with the given frequencies, in bits. */
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
    double entropy =
        total == 0 ? 0 : (total * StrictMath.log((double) total) - logs) / StrictMath.log(2);
    return Math.min(8.0 * total + STORED, entropy + BLOCK + PER_SYMBOL * symbols);
  }
}
