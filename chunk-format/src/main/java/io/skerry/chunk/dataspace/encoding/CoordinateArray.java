package io.skerry.chunk.dataspace.encoding;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Little-endian unsigned numbers of one width, as stored in an encoded selection.
 *
 * @param bytes the numbers
 * @param width size of a number in bytes: 2, 4 or 8
 */
record CoordinateArray(MemorySegment bytes, int width) {
  private static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Returns the number at index {@code i}; negative if it does not fit in 63 bits. */
  long get(long i) {
    return switch (width) {
      case 2 -> bytes.get(U16, i * 2) & 0xffff;
      case 4 -> bytes.get(U32, i * 4) & 0xffffffffL;
      default -> bytes.get(U64, i * 8);
    };
  }

  /** Returns the number that encodes "unlimited". */
  long unlimited() {
    return width == 8 ? -1 : (1L << 8 * width) - 1;
  }
}
