package io.skerry.chunk.bytes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.MemoryLimitException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HeapBytesTest {
  private static final byte[] BYTES = {1, 2, 3, 4, 5, 6, 7, 8};

  static Stream<MemorySegment> segments() {
    MemorySegment array = MemorySegment.ofArray(BYTES.clone());
    MemorySegment numbers = MemorySegment.ofArray(new long[1]);
    numbers.copyFrom(array);
    return Stream.of(
        array, array.asReadOnly(), numbers, Arena.ofAuto().allocate(BYTES.length).copyFrom(array));
  }

  @Test
  void a_block_larger_than_the_heap_is_refused_with_both_sizes() {
    long limit = Runtime.getRuntime().maxMemory();
    MemoryLimitException refused =
        assertThrows(MemoryLimitException.class, () -> HeapBytes.allocate(limit + 1));
    assertEquals(
        "more memory than the process may use: for=one block bytes="
            + (limit + 1)
            + " limit="
            + MemoryLimit.heap()
            + " option=-Xmx",
        refused.getMessage());
  }

  @Test
  void a_block_longer_than_any_array_is_refused_in_a_heap_of_any_size() {
    for (long bytes : new long[] {8L * HeapBytes.MAX_ARRAY + 1, 1L << 40, Long.MAX_VALUE}) {
      MemoryLimitException refused =
          assertThrows(MemoryLimitException.class, () -> HeapBytes.large(bytes));
      assertEquals(8L * HeapBytes.MAX_ARRAY, refused.limit());
    }
  }

  @ParameterizedTest
  @MethodSource("segments")
  void a_copy_has_the_same_bytes(MemorySegment source) {
    assertArrayEquals(BYTES, HeapBytes.copyOf(source).toArray(ValueLayout.JAVA_BYTE));
  }

  @ParameterizedTest
  @MethodSource("segments")
  void a_copy_of_a_part_has_the_bytes_of_that_part(MemorySegment source) {
    MemorySegment copy = HeapBytes.copyOf(source.asSlice(3, 4));
    assertArrayEquals(Arrays.copyOfRange(BYTES, 3, 7), copy.toArray(ValueLayout.JAVA_BYTE));
    assertEquals(0, HeapBytes.copyOf(source.asSlice(8)).byteSize());
  }

  @Test
  void bytes_are_compared_without_a_copy() {
    assertTrue(HeapBytes.isUniform(MemorySegment.ofArray(new byte[0])));
    assertTrue(HeapBytes.isUniform(MemorySegment.ofArray(new byte[] {5, 5, 5})));
    assertFalse(HeapBytes.isUniform(MemorySegment.ofArray(new byte[] {5, 5, 6})));
    assertTrue(HeapBytes.isZeros(MemorySegment.ofArray(new byte[3])));
    assertFalse(HeapBytes.isZeros(MemorySegment.ofArray(new byte[] {5, 5})));
    assertFalse(HeapBytes.isZeros(MemorySegment.ofArray(new byte[] {0, 0, 1})));
  }

  @Test
  void a_copy_does_not_change_with_its_source() {
    segments()
        .filter(source -> !source.isReadOnly())
        .forEach(source -> {
          MemorySegment copy = HeapBytes.copyOf(source);
          source.set(ValueLayout.JAVA_BYTE, 0, (byte) 99);
          assertEquals(1, copy.get(ValueLayout.JAVA_BYTE, 0));
          assertFalse(copy.isReadOnly());
        });
  }
}
