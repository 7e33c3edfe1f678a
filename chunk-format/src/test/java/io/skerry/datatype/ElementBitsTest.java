package io.skerry.datatype;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests access to elements at the end of the memory, and to some of the bits of an element. */
class ElementBitsTest {
  private static void assertOutside(Executable access) {
    assertThrows(IndexOutOfBoundsException.class, access);
  }

  @Test
  void an_element_that_is_not_within_the_memory_is_neither_read_nor_written() {
    MemorySegment memory = MemorySegment.ofArray(new byte[5]);
    FixedPoint number = FixedPoint.of(4, Signedness.SIGNED, Endian.LITTLE);
    for (long at : new long[] {-1, 2, Long.MAX_VALUE}) {
      assertOutside(() -> number.read(memory, at));
      assertOutside(() -> number.write(BigInteger.TWO.negate(), memory, at));
      assertOutside(() -> Datatype.F32.readBits(memory, at));
      assertOutside(() -> Datatype.F32.writeBits(BigInteger.TEN, memory, at));
    }
    assertArrayEquals(new byte[5], memory.toArray(ValueLayout.JAVA_BYTE));
  }

  @Test
  void an_element_larger_than_any_array_is_refused_before_memory_is_allocated() {
    MemorySegment memory = MemorySegment.ofArray(new byte[5]);
    int size = Integer.MAX_VALUE;
    BitField bits = new BitField(size, Endian.LITTLE, 0, 8, BitPadding.ZEROS);
    FloatingPoint real = FloatingPoint.ieee(size, 23, 8, Endian.LITTLE);
    assertOutside(() -> bits.read(memory, 0));
    assertOutside(() -> new Time(size, Endian.LITTLE, 8).read(memory, 0));
    assertOutside(() -> real.readBits(memory, 0));
  }

  @Test
  void a_value_is_read_from_any_bits_of_an_element() {
    byte[] bytes = new byte[16];
    new Random(5).nextBytes(bytes);
    MemorySegment memory = MemorySegment.ofArray(bytes);
    byte[] reversed = new byte[16];
    for (int i = 0; i < 16; i++) {
      reversed[i] = bytes[15 - i];
    }
    for (Endian order : List.of(Endian.LITTLE, Endian.BIG)) {
      BigInteger whole = new BigInteger(1, order == Endian.BIG ? bytes : reversed);
      for (int offset = 0; offset < 128; offset++) {
        for (int precision = 1; precision <= 128 - offset; precision++) {
          BigInteger expected = whole.shiftRight(offset).mod(BigInteger.TWO.pow(precision));
          BitField field = new BitField(16, order, offset, precision, BitPadding.ZEROS);
          assertEquals(expected, field.read(memory, 0), field::toString);
        }
      }
    }
  }
}
