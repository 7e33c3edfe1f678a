package io.skerry.chunk.filter.deflate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.filter.deflate.RunBlock.Place;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;

/** Tests that the zlib of the JDK decodes blocks of literals and runs. */
class RunBlockTest {
  /** Returns noise from a number of byte values, interspersed with runs of any length. */
  private static byte[] sample(Random random, int length) {
    byte[] bytes = new byte[length];
    int kinds = 1 + random.nextInt(random.nextBoolean() ? 4 : 256);
    int noise = 2 + random.nextInt(300);
    int longest = 1 + random.nextInt(random.nextBoolean() ? 12 : 1200);
    for (int at = 0; at < length; ) {
      int many = Math.min(random.nextInt(noise), length - at);
      for (int i = 0; i < many; i++) {
        // Some values are much rarer than others.
        bytes[at++] = (byte) (random.nextInt(kinds) * random.nextInt(1 + random.nextInt(4)));
      }
      int run = Math.min(random.nextInt(longest), length - at);
      Arrays.fill(bytes, at, at + run, (byte) random.nextInt(kinds));
      at += run;
    }
    return bytes;
  }

  private static byte[] inflated(byte[] stream, int length) throws Exception {
    try (Inflater inflater = new Inflater(true)) {
      inflater.setInput(stream);
      byte[] out = new byte[length + 1];
      int used = inflater.inflate(out);
      while (!inflater.finished() && used < out.length && !inflater.needsInput()) {
        used += inflater.inflate(out, used, out.length - used);
      }
      assertTrue(inflater.finished());
      assertEquals(0, inflater.getRemaining());
      return Arrays.copyOf(out, used);
    }
  }

  @Test
  void zlib_reads_blocks_of_noise_and_runs_of_the_predicted_size() throws Exception {
    Random random = new Random(61);
    for (int i = 0; i < 3000; i++) {
      byte[] bytes = sample(random, 1 + random.nextInt(i % 10 == 0 ? 100_000 : 2000));
      LowBitOutput out = new LowBitOutput(random.nextInt(100));
      int blocks = 1 + random.nextInt(3);
      int from = 0;
      for (int block = 1; block <= blocks && from < bytes.length; block++) {
        int to = block == blocks ? bytes.length : from + 1 + random.nextInt(bytes.length - from);
        RunBlock made = new RunBlock(bytes, from, to);
        long before = out.size();
        made.write(out, to == bytes.length ? Place.LAST : Place.INNER);
        long taken = out.size() - before;
        assertTrue(
            taken >= made.bits() - 7 && taken <= made.bits() + 14, taken + " " + made.bits());
        from = to;
      }
      assertArrayEquals(bytes, inflated(out.toArray(), bytes.length));
    }
  }

  @Test
  void a_repeated_byte_takes_two_bits_for_258_bytes() throws Exception {
    byte[] bytes = new byte[258 * 1000 + 1];
    RunBlock block = new RunBlock(bytes, 0, bytes.length);
    LowBitOutput out = new LowBitOutput(0);
    block.write(out, Place.LAST);
    assertEquals(1, block.literals());
    assertTrue(out.size() >= 2000 && out.size() <= 3000, "bits=" + out.size());
    assertArrayEquals(bytes, inflated(out.toArray(), bytes.length));
  }

  @Test
  void runs_of_every_length_round_trip() throws Exception {
    for (int length = 8; length < 1200; length++) {
      byte[] bytes = new byte[length + 21];
      Arrays.fill(bytes, 10, 10 + length, (byte) 7);
      for (int i = 0; i < 10; i++) {
        bytes[i] = (byte) (i + 50);
      }
      LowBitOutput out = new LowBitOutput(0);
      new RunBlock(bytes, 0, bytes.length).write(out, Place.LAST);
      assertArrayEquals(bytes, inflated(out.toArray(), bytes.length), "length=" + length);
    }
  }

  @Test
  void random_bytes_are_stored_uncompressed() throws Exception {
    byte[] bytes = new byte[200_000];
    new Random(5).nextBytes(bytes);
    RunBlock block = new RunBlock(bytes, 0, bytes.length);
    assertEquals(8L * bytes.length + 4 * 40, block.bits());
    LowBitOutput out = new LowBitOutput(0);
    RunBlock.writeNothing(out);
    block.write(out, Place.LAST);
    assertArrayEquals(bytes, inflated(out.toArray(), bytes.length));
  }

  @Test
  void a_block_is_no_longer_than_zlibs_without_search() throws Exception {
    Random random = new Random(62);
    for (int i = 0; i < 30; i++) {
      byte[] bytes = new byte[20_000];
      double width = 1 + random.nextInt(60);
      for (int j = 0; j < bytes.length; j++) {
        bytes[j] = (byte) Math.round(width * random.nextGaussian());
      }
      long ours = (new RunBlock(bytes, 0, bytes.length).bits() + 7) / 8;
      try (Deflater zlib = new Deflater(9, true)) {
        zlib.setStrategy(Deflater.HUFFMAN_ONLY);
        zlib.setInput(bytes);
        zlib.finish();
        int theirs = 0;
        while (!zlib.finished()) {
          theirs += zlib.deflate(new byte[40_000]);
        }
        assertTrue(ours <= theirs * 1.005 + 8, "ours=" + ours + " theirs=" + theirs);
      }
    }
  }

  @Test
  void a_block_has_the_expected_bits() {
    // The block has a run of eleven bytes after the first byte, and two one-bit distance codes.
    byte[] bytes = "aaaaaaaaaaaab".getBytes(StandardCharsets.US_ASCII);
    LowBitOutput out = new LowBitOutput(0);
    new RunBlock(bytes, 0, bytes.length).write(out, Place.LAST);
    assertEquals("4dc1310100000040b0acf40fe1b53106", HexFormat.of().formatHex(out.toArray()));
  }

  @Test
  void an_empty_block_is_refused() {
    assertThrows(IllegalArgumentException.class, () -> new RunBlock(new byte[4], 2, 2));
    assertThrows(IllegalArgumentException.class, () -> new RunBlock(new byte[4], 2, 5));
  }
}
