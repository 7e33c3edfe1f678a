package io.skerry.iod.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Crc64Test {
  private static long bitByBit(byte[] bytes, int from, int to) {
    long crc = -1;
    for (int i = from; i < to; i++) {
      crc ^= bytes[i] & 0xff;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ 0xc96c5795d7870f42L;
      }
    }
    return crc;
  }

  @Test
  void the_checksum_of_the_nine_digits_is_that_of_the_standard() {
    byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
    assertEquals(0x66a2364420e6c605L, Crc64.of(MemorySegment.ofArray(digits)));
  }

  @Test
  void no_bytes_leave_the_initial_value() {
    assertEquals(-1, Crc64.of(MemorySegment.ofArray(new byte[0])));
    assertEquals(-1, Crc64.EMPTY);
  }

  @Test
  void any_length_and_alignment_gives_what_single_bits_give() {
    var random = new Random(1);
    byte[] bytes = new byte[300];
    random.nextBytes(bytes);
    try (var arena = Arena.ofConfined()) {
      var memory = arena.allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
      for (int n = 0; n < 1000; n++) {
        int from = random.nextInt(bytes.length);
        int to = from + random.nextInt(bytes.length - from + 1);
        long expected = bitByBit(bytes, from, to);
        assertEquals(expected, Crc64.of(memory.asSlice(from, to - from)));
        assertEquals(expected, Crc64.of(MemorySegment.ofArray(bytes).asSlice(from, to - from)));
        int middle = from + random.nextInt(to - from + 1);
        long first = Crc64.of(memory.asSlice(from, middle - from));
        assertEquals(expected, Crc64.update(first, memory.asSlice(middle, to - middle)));
      }
    }
  }

  @Test
  void the_native_library_gives_what_the_code_in_java_gives() {
    assumeTrue(Liblzma.isInstalled(), "liblzma is not installed");
    var random = new Random(3);
    byte[] bytes = new byte[(5 << 19) + 77];
    random.nextBytes(bytes);
    MemorySegment heap = MemorySegment.ofArray(bytes).asReadOnly();
    MemorySegment outside = Arena.ofAuto().allocate(bytes.length).copyFrom(heap);
    for (int n = 0; n < 200; n++) {
      int from = random.nextInt(n < 190 ? 100 : 20);
      int size = n < 190 ? random.nextInt(3000) : bytes.length - from - random.nextInt(5);
      long before = random.nextLong();
      long expected = Crc64.inJava(before, outside.asSlice(from, size));
      assertEquals(expected, Crc64.inJava(before, heap.asSlice(from, size)));
      assertEquals(expected, Liblzma.update(before, outside.asSlice(from, size)));
      assertEquals(expected, Liblzma.update(before, heap.asSlice(from, size)));
    }
  }

  @Test
  void blocks_of_several_parts_give_what_single_bits_give() {
    var random = new Random(2);
    byte[] bytes = new byte[3 * 3 * 4096 + 100];
    random.nextBytes(bytes);
    MemorySegment outside = Arena.ofAuto().allocate(bytes.length);
    outside.copyFrom(MemorySegment.ofArray(bytes));
    for (int parts = 1; parts <= 3; parts++) {
      for (int more : new int[] {-9, -1, 0, 1, 8, 17}) {
        int from = random.nextInt(20);
        int to = from + parts * 3 * 4096 + more;
        long expected = bitByBit(bytes, from, to);
        assertEquals(
            expected,
            Crc64.inJava(Crc64.EMPTY, MemorySegment.ofArray(bytes).asSlice(from, to - from)));
        assertEquals(expected, Crc64.inJava(Crc64.EMPTY, outside.asSlice(from, to - from)));
      }
    }
  }
}
