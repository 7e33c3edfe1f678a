package io.skerry.chunk.filter.bits;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Transposes elements to rows of bits, as the bitshuffle filter does: the first row holds the
 * lowest bit of the first byte of every element, the second row the next bit, and so on. In each
 * row, the bit of element i is bit i modulo 8 of byte i / 8.
 */
public final class BitTransposition {
  private static final VarHandle U64 =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private BitTransposition() {}

  /**
   * Transposes elements to rows of bits. Bytes after the last element are copied.
   *
   * @param in the elements
   * @param out the destination of the rows
   * @param count number of elements, a multiple of eight
   * @param size size of an element in bytes
   */
  public static void toPlanes(byte[] in, byte[] out, int count, int size) {
    byte[] planes = new byte[in.length];
    ByteTransposition.toPlanes(in, planes, count, size);
    transpose(planes, count * size);
    // Each group of eight bytes now contains eight bits of each of eight rows.
    for (int plane = 0; plane < size; plane++) {
      ByteTransposition.toPlanes8(planes, out, plane * count, count / 8);
    }
    int tail = count * size;
    System.arraycopy(in, tail, out, tail, in.length - tail);
  }

  /**
   * Transposes rows of bits to elements. Bytes after the last element are copied.
   *
   * @param in the rows
   * @param out the destination of the elements
   * @param count number of elements, a multiple of eight
   * @param size size of an element in bytes
   */
  public static void toElements(byte[] in, byte[] out, int count, int size) {
    byte[] planes = new byte[in.length];
    for (int plane = 0; plane < size; plane++) {
      ByteTransposition.toElements8(in, planes, plane * count, count / 8);
    }
    transpose(planes, count * size);
    int tail = count * size;
    System.arraycopy(in, tail, planes, tail, in.length - tail);
    ByteTransposition.toElements(planes, out, count, size);
  }

  private static void transpose(byte[] bytes, int length) {
    for (int i = 0; i < length; i += 8) {
      U64.set(bytes, i, transpose((long) U64.get(bytes, i)));
    }
  }

  /**
   * Transposes an 8 × 8 bit matrix, so that bit b of byte i becomes bit i of byte b. The three
   * steps transpose blocks of 2 × 2 bits, 4 × 4 bits, and the whole matrix.
   */
  private static long transpose(long matrix) {
    long x = matrix;
    long t = (x ^ x >>> 7) & 0x00aa00aa00aa00aaL;
    x ^= t ^ t << 7;
    t = (x ^ x >>> 14) & 0x0000cccc0000ccccL;
    x ^= t ^ t << 14;
    t = (x ^ x >>> 28) & 0x00000000f0f0f0f0L;
    return x ^ t ^ t << 28;
  }
}
