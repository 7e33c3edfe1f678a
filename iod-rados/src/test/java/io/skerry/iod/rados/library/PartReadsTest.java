package io.skerry.iod.rados.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The division of a read into parts. */
class PartReadsTest {
  private static final long MIB = 1 << 20;

  private static long count(long size) {
    long part = PartReads.part(size);
    return Math.max(1, (size + part - 1) / part);
  }

  @Test
  void a_tile_with_its_checksum_is_read_in_four_parts() {
    assertEquals(4, count(4 * MIB));
    assertEquals(4, count(4 * MIB + 16));
  }

  @Test
  void less_than_two_mebibytes_are_read_at_once() {
    for (long size : new long[] {0, 1, 4096, MIB, 2 * MIB - 1}) {
      assertEquals(1, count(size), "size " + size);
    }
    assertEquals(2, count(2 * MIB));
  }

  @Test
  void there_are_at_most_eight_parts_and_each_begins_at_a_block() {
    var random = new SplittableRandom(3);
    for (int i = 0; i < 10_000; i++) {
      long size = random.nextLong(1L << random.nextInt(1, 40));
      assertTrue(count(size) <= 8, "size " + size);
      assertEquals(0, PartReads.part(size) % (1 << 16), "size " + size);
    }
  }
}
