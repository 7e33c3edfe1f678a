package io.skerry.chunk.filter.basic;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Reverses the shuffle filter in native memory, for elements of 2, 4 or 8 bytes. */
public final class Unshuffle {
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Unshuffle() {}

  /** Returns whether {@link #join} supports elements of the given size in bytes. */
  static boolean joins(int size) {
    return size == 2 || size == 4 || size == 8;
  }

  /**
   * Restores elements from byte planes. Bytes after the last element are copied.
   *
   * @param in the planes
   * @param out the destination of the elements
   * @param count number of elements
   * @param size size of an element in bytes: 2, 4 or 8
   */
  public static void join(MemorySegment in, MemorySegment out, long count, int size) {
    long whole = count & ~7L;
    switch (size) {
      case 2 -> join2(in, out, whole, count);
      case 4 -> join4(in, out, whole, count);
      default -> join8(in, out, whole, count);
    }
    for (long i = whole; i < count; i++) {
      for (int j = 0; j < size; j++) {
        out.set(ValueLayout.JAVA_BYTE, i * size + j, in.get(ValueLayout.JAVA_BYTE, j * count + i));
      }
    }
    MemorySegment.copy(in, count * size, out, count * size, in.byteSize() - count * size);
  }

  /** Moves the low four bytes of a long to its even byte positions. */
  private static long spread(long x) {
    long y = x & 0xffffffffL;
    y = (y | y << 16) & 0x0000ffff0000ffffL;
    return (y | y << 8) & 0x00ff00ff00ff00ffL;
  }

  /** Moves the low two 16-bit parts of a long to its even 16-bit positions. */
  private static long spread16(long x) {
    long y = x & 0xffffffffL;
    return (y | y << 16) & 0x0000ffff0000ffffL;
  }

  private static void join2(MemorySegment in, MemorySegment out, long whole, long count) {
    for (long i = 0; i < whole; i += 8) {
      long a = in.get(U64, i);
      long b = in.get(U64, count + i);
      out.set(U64, 2 * i, spread(a) | spread(b) << 8);
      out.set(U64, 2 * i + 8, spread(a >>> 32) | spread(b >>> 32) << 8);
    }
  }

  private static void join4(MemorySegment in, MemorySegment out, long whole, long count) {
    for (long i = 0; i < whole; i += 8) {
      long a = in.get(U64, i);
      long b = in.get(U64, count + i);
      long c = in.get(U64, 2 * count + i);
      long d = in.get(U64, 3 * count + i);
      long ab = spread(a) | spread(b) << 8;
      long cd = spread(c) | spread(d) << 8;
      out.set(U64, 4 * i, spread16(ab) | spread16(cd) << 16);
      out.set(U64, 4 * i + 8, spread16(ab >>> 32) | spread16(cd >>> 32) << 16);
      ab = spread(a >>> 32) | spread(b >>> 32) << 8;
      cd = spread(c >>> 32) | spread(d >>> 32) << 8;
      out.set(U64, 4 * i + 16, spread16(ab) | spread16(cd) << 16);
      out.set(U64, 4 * i + 24, spread16(ab >>> 32) | spread16(cd >>> 32) << 16);
    }
  }

  /**
   * Joins eight planes, four elements at a time: planes 0 to 3 and planes 4 to 7 as in {@link
   * #join4}, then the 4-byte halves of the elements.
   */
  private static void join8(MemorySegment in, MemorySegment out, long whole, long count) {
    for (long i = 0; i < whole; i += 4) {
      long low0 = pair(in, i, 0, count);
      long low1 = pair(in, i, 2, count);
      long high0 = pair(in, i, 4, count);
      long high1 = pair(in, i, 6, count);
      long a = spread16(low0) | spread16(low1) << 16;
      long b = spread16(high0) | spread16(high1) << 16;
      out.set(U64, 8 * i, (a & 0xffffffffL) | b << 32);
      out.set(U64, 8 * i + 8, a >>> 32 | (b & 0xffffffff00000000L));
      a = spread16(low0 >>> 32) | spread16(low1 >>> 32) << 16;
      b = spread16(high0 >>> 32) | spread16(high1 >>> 32) << 16;
      out.set(U64, 8 * i + 16, (a & 0xffffffffL) | b << 32);
      out.set(U64, 8 * i + 24, a >>> 32 | (b & 0xffffffff00000000L));
    }
  }

  /** Interleaves two adjacent planes for four elements, starting at element {@code i}. */
  private static long pair(MemorySegment in, long i, int plane, long count) {
    return spread(in.get(U32, plane * count + i))
        | spread(in.get(U32, (plane + 1) * count + i)) << 8;
  }
}
