package io.skerry.chunk.filter.deflate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Bits into a byte array, each byte from its lowest bit on, as deflate has them (RFC 1951, 3.1).
 */
public final class LowBitOutput {
  private static final VarHandle U32 =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle U64 =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Bytes that one store may touch beyond the last bit. */
  private static final int SLACK = Long.BYTES;

  private byte[] bytes;

  /** Whole bytes in the array; the bits in the accumulator, fewer than 8, come after them. */
  private int length;

  private long accumulator;
  private int held;

  /**
   * @param capacity bytes that are expected, a hint
   */
  public LowBitOutput(int capacity) {
    bytes = new byte[capacity + SLACK];
  }

  /**
   * Makes room for what is put next, at least so many bits.
   *
   * @throws OutOfMemoryError if no array has so many bytes
   */
  void reserve(long bits) {
    long needed = length + ((held + bits + 7) >>> 3) + SLACK;
    if (needed > bytes.length) {
      long more = Math.max(needed, Math.min(2L * bytes.length, Integer.MAX_VALUE - 8));
      bytes = Arrays.copyOf(bytes, Math.toIntExact(more));
    }
  }

  /**
   * Adds the lowest bits of a number, for which there is room.
   *
   * @param value nothing in it above those bits
   * @param count 0 to 56
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
   * Adds the codes of some bytes, for which there is room.
   *
   * @param codes for each byte its code, and from bit 16 on how many bits it has: at most 14
   */
  void putCoded(byte[] source, int from, int to, int[] codes) {
    // Four codes and what is left of the one before fit one store.
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

  /** Fills the last byte with zero bits. */
  void align() {
    put(0, (8 - held) & 7);
  }

  /** Adds bytes; only when the last one is full. */
  public void putBytes(byte[] source, int from, int to) {
    reserve(8L * (to - from));
    System.arraycopy(source, from, bytes, length, to - from);
    length += to - from;
  }

  /** Bits so far. */
  public long size() {
    return 8L * length + held;
  }

  /** What was put, the last byte filled with zero bits. */
  public byte[] toArray() {
    reserve(Long.SIZE);
    align();
    return Arrays.copyOf(bytes, length);
  }
}
