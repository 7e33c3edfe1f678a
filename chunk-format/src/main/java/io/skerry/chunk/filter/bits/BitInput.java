package io.skerry.chunk.filter.bits;

import io.skerry.exception.FormatException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Bits of a byte array, each byte from its highest bit on; never beyond the end. */
public final class BitInput {
  private static final VarHandle U64 =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] bytes;
  private final long end;
  private final String structure;
  private long at;

  /**
   * @param from first byte
   * @param structure what the bits are, for error messages
   */
  public BitInput(byte[] bytes, int from, String structure) {
    this.bytes = bytes;
    this.at = 8L * from;
    this.end = 8L * bytes.length;
    this.structure = structure;
  }

  /** Whether no bit is left. */
  public boolean isEmpty() {
    return at >= end;
  }

  /**
   * The next bits as a number.
   *
   * @param count 0 to 64
   * @throws FormatException if there are not so many
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
   * The number of zero bits before the next one bit, which is passed too.
   *
   * @throws FormatException if there is no one bit
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

  /** At most 56 bits that are known to be there. */
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
