package io.skerry.chunk.filter.deflate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares codes with those of Huffman's algorithm and with the example of the specification. */
class HuffmanCodeTest {
  /** Returns the size in bits with an optimal code of unlimited length. */
  private static long best(int[] counts) {
    PriorityQueue<Long> weights = new PriorityQueue<>();
    for (int count : counts) {
      if (count > 0) {
        weights.add((long) count);
      }
    }
    long bits = 0;
    while (weights.size() > 1) {
      long both = weights.poll() + weights.poll();
      bits += both;
      weights.add(both);
    }
    return bits;
  }

  private static long bits(HuffmanCode code, int[] counts) {
    long bits = 0;
    for (int symbol = 0; symbol < counts.length; symbol++) {
      bits += (long) counts[symbol] * code.length(symbol);
    }
    return bits;
  }

  private static int[] counts(Random random) {
    int[] counts = new int[2 + random.nextInt(285)];
    double base = 1 + random.nextDouble();
    for (int i = 0; i < counts.length; i++) {
      counts[i] = random.nextInt(4) == 0 ? 0 : (int) Math.min(1 << 22, Math.pow(base, i % 24));
    }
    counts[0] = 1;
    counts[1] = 1;
    return counts;
  }

  @Test
  void a_code_is_complete_within_its_limit_and_nearly_optimal() {
    Random random = new Random(71);
    int cut = 0;
    for (int i = 0; i < 2000; i++) {
      int[] counts = counts(random);
      HuffmanCode code = HuffmanCode.of(counts, 14);
      long space = 0;
      for (int symbol = 0; symbol < counts.length; symbol++) {
        int length = code.length(symbol);
        assertEquals(counts[symbol] > 0, length > 0);
        assertTrue(length <= 14);
        space += length > 0 ? 1L << (14 - length) : 0;
      }
      assertEquals(1L << 14, space);
      long least = best(counts);
      assertTrue(bits(code, counts) >= least);
      assertTrue(bits(code, counts) <= least * 1.01, bits(code, counts) + " " + least);
      cut += bits(code, counts) > least ? 1 : 0;
    }
    assertTrue(cut > 10, "codes that would have been too long: " + cut);
  }

  @Test
  void no_code_is_a_prefix_of_another() {
    Random random = new Random(72);
    for (int i = 0; i < 200; i++) {
      int[] codes = HuffmanCode.of(counts(random), 14).codes();
      for (int a : codes) {
        for (int b : codes) {
          int shorter = Math.min(a >>> 16, b >>> 16);
          boolean same = (a & ((1 << shorter) - 1)) == (b & ((1 << shorter) - 1));
          assertTrue(shorter == 0 || a == b || !same);
        }
      }
    }
  }

  @Test
  void codes_are_numbered_as_in_the_example_of_the_specification() {
    // RFC 1951, section 3.2.2: lengths 3, 3, 3, 3, 3, 2, 4, 4 for A to H.
    int[] codes = HuffmanCode.of(new int[] {10, 10, 10, 10, 10, 20, 4, 5}, 7).codes();
    String[] expected = {"010", "011", "100", "101", "110", "00", "1110", "1111"};
    for (int symbol = 0; symbol < expected.length; symbol++) {
      StringBuilder bits = new StringBuilder();
      for (int bit = 0; bit < codes[symbol] >>> 16; bit++) {
        bits.append(codes[symbol] >>> bit & 1);
      }
      assertEquals(expected[symbol], bits.toString(), "symbol=" + symbol);
    }
  }

  @Test
  void a_single_symbol_is_refused() {
    assertThrows(IllegalArgumentException.class, () -> HuffmanCode.of(new int[] {0, 5}, 7));
  }
}
