package io.skerry.chunk.filter.packed;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Reads and writes numbers of 1 to 8 bytes in a byte array, in either byte order. */
final class NumberBytes {
  private static final VarHandle U16 =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle U32 =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle U64 =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private NumberBytes() {}

  /** Byte order of a number. */
  enum Order {
    LITTLE,
    BIG
  }

  /** Returns the bits of a number, zero-extended. */
  static long get(byte[] bytes, int at, int size, Order order) {
    long value =
        switch (size) {
          case 1 -> bytes[at] & 0xffL;
          case 2 -> (short) U16.get(bytes, at) & 0xffffL;
          case 4 -> (int) U32.get(bytes, at) & 0xffffffffL;
          case 8 -> (long) U64.get(bytes, at);
          default -> {
            long v = 0;
            for (int i = size - 1; i >= 0; i--) {
              v = v << 8 | (bytes[at + i] & 0xff);
            }
            yield v;
          }
        };
    return order == Order.LITTLE ? value : Long.reverseBytes(value) >>> (64 - 8 * size);
  }

  /** Stores the lowest bytes of a number. */
  static void set(byte[] bytes, int at, int size, Order order, long number) {
    long value = order == Order.LITTLE ? number : Long.reverseBytes(number) >>> (64 - 8 * size);
    switch (size) {
      case 1 -> bytes[at] = (byte) value;
      case 2 -> U16.set(bytes, at, (short) value);
      case 4 -> U32.set(bytes, at, (int) value);
      case 8 -> U64.set(bytes, at, value);
      default -> {
        for (int i = 0; i < size; i++) {
          bytes[at + i] = (byte) (value >>> 8 * i);
        }
      }
    }
  }
}
