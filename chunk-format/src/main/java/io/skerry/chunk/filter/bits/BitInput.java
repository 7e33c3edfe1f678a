package io.skerry.chunk.filter.bits;

import io.skerry.exception.FormatException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads the bits of a byte array, starting with the highest bit of each byte. Never reads beyond
 * the end of the array.
 */
public final class BitInput {
  private static final VarHandle U64 =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] bytes;
  private final long end;
  private final String structure;
  private long at;

  /**
   * Creates a reader.
   *
   * @param bytes array to read
   * @param from index of the first byte
   * @param structure name of the encoded structure, for error messages
   */
  public BitInput(byte[] bytes, int from, String structure) {
    this.bytes = bytes;
    this.at = 8L * from;
    this.end = 8L * bytes.length;
    this.structure = structure;
  }

  /** Returns whether no bits are left. */
  public boolean isEmpty() {
    return at >= end;
  }

  /**
   * Reads bits as an unsigned number.
   *
   * @param count number of bits, 0 to 64
   * @throws FormatException if fewer bits are left
   */
  public long bits(int count) {
    if (count > end - at) {
      throw fault(count);
    }
    if (count > 56) {
      long high = peek(count - 32);
      at += count - 32;
      long low = peek(32);
      at += 32;
      return high << 32 | low;
    }
    long value = peek(count);
    at += count;
    return value;
  }

  /**
   * Skips zero bits up to and including the next 1 bit.
   *
   * @return the number of zero bits skipped
   * @throws FormatException if no 1 bit is left
   */
  public long zeros() {
    int index = (int) (at >>> 3);
    if (index + 8 <= bytes.length) {
      long window = (long) U64.get(bytes, index) << (at & 7);
      if (window != 0) {
        int zeros = Long.numberOfLeadingZeros(window);
        at += zeros + 1;
        return zeros;
      }
    }
    return manyZeros();
  }

  private long manyZeros() {
    long zeros = 0;
    while (at < end) {
      int here = (int) Math.min(56, end - at);
      long window = peek(here) << (64 - here);
      if (window != 0) {
        int more = Long.numberOfLeadingZeros(window);
        at += more + 1;
        return zeros + more;
      }
      at += here;
      zeros += here;
    }
    throw fault(1);
  }

  /**
   * Returns up to 56 bits without advancing. The caller must have checked that enough bits are
   * left.
   */
  private long peek(int count) {
    if (count == 0) {
      return 0;
    }
    int index = (int) (at >>> 3);
    long window = index + 8 <= bytes.length ? (long) U64.get(bytes, index) : last(index);
    return window << (at & 7) >>> (64 - count);
  }

  private long last(int index) {
    long window = 0;
    for (int i = 0; i < 8; i++) {
      window = window << 8 | (index + i < bytes.length ? bytes[index + i] & 0xff : 0);
    }
    return window;
  }

  private FormatException fault(long wanted) {
    return new FormatException(
        structure + ": bits needed at bit " + at, "at least " + wanted, end - at);
  }
}
