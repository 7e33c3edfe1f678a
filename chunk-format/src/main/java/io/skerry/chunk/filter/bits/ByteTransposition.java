package io.skerry.chunk.filter.bits;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Transposes the bytes of elements as the shuffle filter does: a matrix of count × size bytes
 * becomes one of size × count bytes, or the reverse.
 *
 * <p>For elements of at least eight bytes, blocks of 8 × 8 bytes are transposed in eight longs, by
 * exchanging 4-byte, then 2-byte, then 1-byte parts. These elements are processed in tiles, so that
 * the planes of a tile stay in the first-level cache of the processor while they are written.
 * Elements of two or four bytes, which would not fill such a block, are separated into even and odd
 * bytes. Other elements are transposed one byte at a time.
 */
public final class ByteTransposition {
  private static final VarHandle U64 =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Number of elements in a tile, a multiple of eight. */
  private static final int TILE = 256;

  private static final long EVEN = 0x00ff00ff00ff00ffL;

  private ByteTransposition() {}

  /**
   * Transposes elements to byte planes. Bytes after the last element are copied.
   *
   * @param in the elements
   * @param out the destination of the planes
   * @param count number of elements
   * @param size size of an element in bytes
   */
  public static void toPlanes(byte[] in, byte[] out, int count, int size) {
    int done =
        switch (size) {
          case 2 -> split2(in, out, count);
          case 4 -> split4(in, out, count);
          default -> size < 8 ? 0 : tiles(in, out, count, size, Direction.TO_PLANES);
        };
    for (int i = done; i < count; i++) {
      for (int j = 0; j < size; j++) {
        out[j * count + i] = in[i * size + j];
      }
    }
    int tail = count * size;
    System.arraycopy(in, tail, out, tail, in.length - tail);
  }

  /**
   * Transposes byte planes to elements. Bytes after the last element are copied.
   *
   * @param in the planes
   * @param out the destination of the elements
   * @param count number of elements
   * @param size size of an element in bytes
   */
  public static void toElements(byte[] in, byte[] out, int count, int size) {
    int done =
        switch (size) {
          case 2 -> join2(in, out, count);
          case 4 -> join4(in, out, count);
          default -> size < 8 ? 0 : tiles(in, out, count, size, Direction.TO_ELEMENTS);
        };
    for (int i = done; i < count; i++) {
      for (int j = 0; j < size; j++) {
        out[i * size + j] = in[j * count + i];
      }
    }
    int tail = count * size;
    System.arraycopy(in, tail, out, tail, in.length - tail);
  }

  /** Transposes elements of eight bytes to byte planes, both starting at byte {@code from}. */
  static void toPlanes8(byte[] in, byte[] out, int from, int count) {
    int whole = count & ~7;
    for (int i = 0; i < whole; i += 8) {
      transpose(in, from + 8 * i, 8, out, from + i, count);
    }
    for (int i = whole; i < count; i++) {
      for (int j = 0; j < 8; j++) {
        out[from + j * count + i] = in[from + 8 * i + j];
      }
    }
  }

  /** Transposes byte planes to elements of eight bytes, both starting at byte {@code from}. */
  static void toElements8(byte[] in, byte[] out, int from, int count) {
    int whole = count & ~7;
    for (int i = 0; i < whole; i += 8) {
      transpose(in, from + i, count, out, from + 8 * i, 8);
    }
    for (int i = whole; i < count; i++) {
      for (int j = 0; j < 8; j++) {
        out[from + 8 * i + j] = in[from + j * count + i];
      }
    }
  }

  private enum Direction {
    TO_PLANES,
    TO_ELEMENTS
  }

  /**
   * Transposes elements of at least eight bytes.
   *
   * @return the number of elements transposed, a multiple of eight
   */
  private static int tiles(byte[] in, byte[] out, int count, int size, Direction direction) {
    int whole = count & ~7;
    for (int from = 0; from < whole; from += TILE) {
      int to = Math.min(whole, from + TILE);
      for (int column = 0; column < size; column += 8) {
        // The last eight columns may overlap the previous ones; the overlap is then written twice,
        // with the same bytes.
        int at = Math.min(column, size - 8);
        for (int i = from; i < to; i += 8) {
          if (direction == Direction.TO_PLANES) {
            transpose(in, i * size + at, size, out, at * count + i, count);
          } else {
            transpose(in, at * count + i, count, out, i * size + at, size);
          }
        }
      }
    }
    return whole;
  }

  /**
   * Transposes eight rows of eight bytes. Rows of the input are {@code inStep} bytes apart, rows of
   * the output {@code outStep} bytes.
   */
  private static void transpose(byte[] in, int from, int inStep, byte[] out, int to, int outStep) {
    long a = (long) U64.get(in, from);
    long b = (long) U64.get(in, from + inStep);
    long c = (long) U64.get(in, from + 2 * inStep);
    long d = (long) U64.get(in, from + 3 * inStep);
    long e = (long) U64.get(in, from + 4 * inStep);
    long f = (long) U64.get(in, from + 5 * inStep);
    long g = (long) U64.get(in, from + 6 * inStep);
    long h = (long) U64.get(in, from + 7 * inStep);
    long ae = (a & 0xffffffffL) | e << 32;
    long bf = (b & 0xffffffffL) | f << 32;
    long cg = (c & 0xffffffffL) | g << 32;
    long dh = (d & 0xffffffffL) | h << 32;
    store(out, to, outStep, ae, bf, cg, dh);
    ae = a >>> 32 | (e & 0xffffffff00000000L);
    bf = b >>> 32 | (f & 0xffffffff00000000L);
    cg = c >>> 32 | (g & 0xffffffff00000000L);
    dh = d >>> 32 | (h & 0xffffffff00000000L);
    store(out, to + 4 * outStep, outStep, ae, bf, cg, dh);
  }

  /**
   * Stores four rows of the output. Each of {@code ae} to {@code dh} holds four bytes of one input
   * row and the bytes in the same four columns of the input row that is four rows below.
   */
  private static void store(byte[] out, int to, int step, long ae, long bf, long cg, long dh) {
    long low = 0x0000ffff0000ffffL;
    long aceg = (ae & low) | (cg & low) << 16;
    long bdfh = (bf & low) | (dh & low) << 16;
    U64.set(out, to, (aceg & EVEN) | (bdfh & EVEN) << 8);
    U64.set(out, to + step, (aceg >>> 8 & EVEN) | (bdfh & ~EVEN));
    aceg = (ae >>> 16 & low) | (cg & ~low);
    bdfh = (bf >>> 16 & low) | (dh & ~low);
    U64.set(out, to + 2 * step, (aceg & EVEN) | (bdfh & EVEN) << 8);
    U64.set(out, to + 3 * step, (aceg >>> 8 & EVEN) | (bdfh & ~EVEN));
  }

  /** Returns the bytes at the even positions of a long, packed into the low half. */
  private static long evens(long x) {
    long y = x & EVEN;
    y = (y | y >>> 8) & 0x0000ffff0000ffffL;
    return (y | y >>> 16) & 0xffffffffL;
  }

  /**
   * Moves the low four bytes of a long to the even byte positions: the inverse of {@link #evens}.
   */
  private static long spread(long x) {
    long y = x & 0xffffffffL;
    y = (y | y << 16) & 0x0000ffff0000ffffL;
    return (y | y << 8) & EVEN;
  }

  private static int split2(byte[] in, byte[] out, int count) {
    int whole = count & ~7;
    for (int i = 0; i < whole; i += 8) {
      long x = (long) U64.get(in, 2 * i);
      long y = (long) U64.get(in, 2 * i + 8);
      U64.set(out, i, evens(x) | evens(y) << 32);
      U64.set(out, count + i, evens(x >>> 8) | evens(y >>> 8) << 32);
    }
    return whole;
  }

  private static int join2(byte[] in, byte[] out, int count) {
    int whole = count & ~7;
    for (int i = 0; i < whole; i += 8) {
      long even = (long) U64.get(in, i);
      long odd = (long) U64.get(in, count + i);
      U64.set(out, 2 * i, spread(even) | spread(odd) << 8);
      U64.set(out, 2 * i + 8, spread(even >>> 32) | spread(odd >>> 32) << 8);
    }
    return whole;
  }

  private static int split4(byte[] in, byte[] out, int count) {
    int whole = count & ~7;
    for (int i = 0; i < whole; i += 8) {
      long w = (long) U64.get(in, 4 * i);
      long x = (long) U64.get(in, 4 * i + 8);
      long y = (long) U64.get(in, 4 * i + 16);
      long z = (long) U64.get(in, 4 * i + 24);
      // Separate bytes 0 and 2 of the elements from bytes 1 and 3.
      long even1 = evens(w) | evens(x) << 32;
      long even2 = evens(y) | evens(z) << 32;
      long odd1 = evens(w >>> 8) | evens(x >>> 8) << 32;
      long odd2 = evens(y >>> 8) | evens(z >>> 8) << 32;
      U64.set(out, i, evens(even1) | evens(even2) << 32);
      U64.set(out, count + i, evens(odd1) | evens(odd2) << 32);
      U64.set(out, 2 * count + i, evens(even1 >>> 8) | evens(even2 >>> 8) << 32);
      U64.set(out, 3 * count + i, evens(odd1 >>> 8) | evens(odd2 >>> 8) << 32);
    }
    return whole;
  }

  private static int join4(byte[] in, byte[] out, int count) {
    int whole = count & ~7;
    for (int i = 0; i < whole; i += 8) {
      long p0 = (long) U64.get(in, i);
      long p1 = (long) U64.get(in, count + i);
      long p2 = (long) U64.get(in, 2 * count + i);
      long p3 = (long) U64.get(in, 3 * count + i);
      long even1 = spread(p0) | spread(p2) << 8;
      long even2 = spread(p0 >>> 32) | spread(p2 >>> 32) << 8;
      long odd1 = spread(p1) | spread(p3) << 8;
      long odd2 = spread(p1 >>> 32) | spread(p3 >>> 32) << 8;
      U64.set(out, 4 * i, spread(even1) | spread(odd1) << 8);
      U64.set(out, 4 * i + 8, spread(even1 >>> 32) | spread(odd1 >>> 32) << 8);
      U64.set(out, 4 * i + 16, spread(even2) | spread(odd2) << 8);
      U64.set(out, 4 * i + 24, spread(even2 >>> 32) | spread(odd2 >>> 32) << 8);
    }
    return whole;
  }
}
