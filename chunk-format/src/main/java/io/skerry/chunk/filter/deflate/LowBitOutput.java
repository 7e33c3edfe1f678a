package io.skerry.chunk.filter.deflate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Writes bits to a byte array, starting with the lowest bit of each byte, as deflate requires (RFC
 * 1951, section 3.1).
 */
public final class LowBitOutput {
  private static final VarHandle U32 =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle U64 =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The number of bytes beyond the last bit that a store may touch. */
  private static final int SLACK = Long.BYTES;

  private byte[] bytes;

  /**
   * The number of complete bytes in the array. The accumulator holds the bits that follow these
   * bytes, fewer than 8.
   */
  private int length;

  private long accumulator;
  private int held;

  /**
   * Creates an empty buffer.
   *
   * @param capacity the expected number of bytes; more may be written
   */
  public LowBitOutput(int capacity) {
    bytes = new byte[capacity + SLACK];
  }

  /**
   * Ensures that at least the given number of bits can be appended.
   *
   * @throws OutOfMemoryError if the array cannot be allocated
   * @throws ArithmeticException if the array would need 2^31 bytes or more
   */
  void reserve(long bits) {
    long needed = length + ((held + bits + 7) >>> 3) + SLACK;
    if (needed > bytes.length) {
      long more = Math.max(needed, Math.min(2L * bytes.length, Integer.MAX_VALUE - 8));
      bytes = Arrays.copyOf(bytes, Math.toIntExact(more));
    }
  }

  /**
   * Appends the lowest bits of a number. The caller must have reserved space for them.
   *
   * @param value the number; all bits above the lowest {@code count} are zero
   * @param count the number of bits, 0 to 56
   */
  void put(long value, int count) {
    accumulator |= value << held;
    held += count;
    U64.set(bytes, length, accumulator);
    length += held >>> 3;
    accumulator >>>= held & 56;
    held &= 7;
  }

  /**
   * Appends the codes of bytes. The caller must have reserved space for them.
   *
   * @param source the array that contains the bytes
   * @param from the index of the first byte
   * @param to the index after the last byte
   * @param codes the codes of the byte values: each number holds the code in its low 16 bits and,
   *     starting at bit 16, the length of the code in bits, at most 14
   */
  void putCoded(byte[] source, int from, int to, int[] codes) {
    // Four codes and the remaining bits of the previous store fit in one store.
    byte[] out = bytes;
    int at = length;
    long bits = accumulator;
    int count = held;
    int i = from;
    for (; i + 4 <= to; i += 4) {
      int four = (int) U32.get(source, i);
      int first = codes[four & 0xff];
      int second = codes[four >>> 8 & 0xff];
      int third = codes[four >>> 16 & 0xff];
      int fourth = codes[four >>> 24];
      bits |= (long) (first & 0xffff) << count;
      count += first >>> 16;
      bits |= (long) (second & 0xffff) << count;
      count += second >>> 16;
      bits |= (long) (third & 0xffff) << count;
      count += third >>> 16;
      bits |= (long) (fourth & 0xffff) << count;
      count += fourth >>> 16;
      U64.set(out, at, bits);
      at += count >>> 3;
      bits >>>= count & 56;
      count &= 7;
    }
    length = at;
    accumulator = bits;
    held = count;
    for (; i < to; i++) {
      int code = codes[source[i] & 0xff];
      put(code & 0xffff, code >>> 16);
    }
  }

  /** Pads the last byte with zero bits. */
  void align() {
    put(0, (8 - held) & 7);
  }

  /** Appends bytes. The output must be at a byte boundary. */
  public void putBytes(byte[] source, int from, int to) {
    reserve(8L * (to - from));
    System.arraycopy(source, from, bytes, length, to - from);
    length += to - from;
  }

  /** Returns the number of bits written. */
  public long size() {
    return 8L * length + held;
  }

  /** Pads the last byte with zero bits and returns a copy of the bytes written. */
  public byte[] toArray() {
    reserve(Long.SIZE);
    align();
    return Arrays.copyOf(bytes, length);
  }
}
