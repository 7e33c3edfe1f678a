package io.skerry.datatype;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.Objects;

/** Reads and writes the bits of a stored number as one integer; bit 0 is the least significant. */
final class ElementBits {
  private ElementBits() {}

  /** Reads all bits. */
  static BigInteger read(Endian order, int size, MemorySegment in, long at) {
    return bytes(order, size, in, at, 0, size);
  }

  /**
   * Reads {@code width} bits starting at bit {@code position}; accesses only the bytes that contain
   * them.
   */
  static BigInteger read(
      Endian order, int size, MemorySegment in, long at, int position, int width) {
    BigInteger bits = bytes(order, size, in, at, position / 8, (position + width + 7) / 8);
    return field(bits, position % 8, width);
  }

  /** Reads the bytes from {@code from} to {@code to - 1}, counted from the least significant. */
  private static BigInteger bytes(
      Endian order, int size, MemorySegment in, long at, int from, int to) {
    // The size may come from a file; check it before allocating an array of up to that size.
    Objects.checkFromIndexSize(at, size, in.byteSize());
    byte[] bytes = new byte[to - from];
    for (int i = from; i < to; i++) {
      bytes[to - 1 - i] = in.get(ValueLayout.JAVA_BYTE, at + place(order, size, i));
    }
    return new BigInteger(1, bytes);
  }

  static void write(BigInteger bits, Endian order, int size, MemorySegment out, long at) {
    Objects.checkFromIndexSize(at, size, out.byteSize());
    byte[] bytes = bits.toByteArray();
    for (int i = 0; i < size; i++) {
      byte value = i < bytes.length ? bytes[bytes.length - 1 - i] : 0;
      out.set(ValueLayout.JAVA_BYTE, at + place(order, size, i), value);
    }
  }

  static BigInteger field(BigInteger bits, int position, int width) {
    return bits.shiftRight(position).and(ones(width));
  }

  /** Returns an integer whose lowest {@code count} bits are set. */
  static BigInteger ones(int count) {
    return BigInteger.ONE.shiftLeft(count).subtract(BigInteger.ONE);
  }

  /**
   * Returns the offset within the element, in bytes, of byte {@code i}, counted from the least
   * significant byte.
   */
  private static int place(Endian order, int size, int i) {
    return switch (order) {
      case LITTLE -> i;
      case BIG -> size - 1 - i;
      // For an even size: two-byte words, the most significant word first, each word
      // little-endian.
      case VAX -> size % 2 == 0 ? size - 2 - (i & ~1) + (i & 1) : i;
    };
  }
}
