package io.skerry.cache.table;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

class InterleavedKeyTest {
  @Test
  void the_documented_example_has_its_key() {
    long high = 0b0110_1100L << 56;
    assertEquals(new InterleavedKey(high, 0), InterleavedKey.of(6, 5));
  }

  @Test
  void bits_beyond_the_low_halves_go_to_the_low_half_of_the_key() {
    assertEquals(new InterleavedKey(0, 0b11L << 62), InterleavedKey.of(1L << 32, 1L << 32));
    assertEquals(new InterleavedKey(0, 0b01), InterleavedKey.of(0, Long.MIN_VALUE));
    assertEquals(new InterleavedKey(0, 0b10), InterleavedKey.of(Long.MIN_VALUE, 0));
  }

  @Test
  void every_bit_is_where_bitwise_interleaving_puts_it() {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      long dataset = random.nextLong();
      long chunk = random.nextLong();
      assertEquals(interleavedBitByBit(dataset, chunk), InterleavedKey.of(dataset, chunk));
    }
  }

  @Test
  void coordinates_are_restored_from_their_key() {
    Random random = new Random(2);
    for (int i = 0; i < 10_000; i++) {
      long dataset = random.nextLong() >>> random.nextInt(64);
      long chunk = random.nextLong() >> random.nextInt(64);
      InterleavedKey key = InterleavedKey.of(dataset, chunk);
      assertEquals(dataset, key.dataset());
      assertEquals(chunk, key.chunk());
    }
  }

  private static InterleavedKey interleavedBitByBit(long dataset, long chunk) {
    StringBuilder bits = new StringBuilder();
    for (int bit = 0; bit < 64; bit++) {
      bits.append(dataset >>> bit & 1).append(chunk >>> bit & 1);
    }
    return new InterleavedKey(
        Long.parseUnsignedLong(bits.substring(0, 64), 2),
        Long.parseUnsignedLong(bits.substring(64), 2));
  }
}
