package io.skerry.iod.object;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The CRC-64 of ECMA-182, reflected, with all bits set initially and no final inversion. The
 * checksum of the nine bytes "123456789" is 66a2364420e6c605. Local, thread-safe.
 *
 * <p>Sixteen bytes are processed at a time with one table for each of their positions (slicing).
 */
public final class Crc64 {
  /** The checksum of no bytes. */
  public static final long EMPTY = -1;

  private static final long POLYNOMIAL = 0xc96c5795d7870f42L;
  private static final int VALUES = 256;
  private static final int STEP = 16;
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** The change by a byte that has i other bytes behind it, at i * 256 + byte. */
  private static final long[] TABLE = table();

  private Crc64() {}

  private static long[] table() {
    long[] table = new long[STEP * VALUES];
    for (int value = 0; value < VALUES; value++) {
      long crc = value;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ POLYNOMIAL;
      }
      table[value] = crc;
    }
    for (int i = VALUES; i < table.length; i++) {
      long before = table[i - VALUES];
      table[i] = before >>> 8 ^ table[(int) before & 0xff];
    }
    return table;
  }

  /** Returns the checksum of bytes. Does not fail if they are accessible. */
  public static long of(MemorySegment bytes) {
    return update(EMPTY, bytes);
  }

  /**
   * Returns the checksum of some bytes with further bytes behind them. Does not fail if these are
   * accessible.
   *
   * @param before the checksum of the bytes before; {@link #EMPTY} if there are none
   */
  public static long update(long before, MemorySegment bytes) {
    long[] t = TABLE;
    long crc = before;
    long size = bytes.byteSize();
    long whole = size - size % STEP;
    for (long at = 0; at < whole; at += STEP) {
      long a = bytes.get(U64, at) ^ crc;
      long b = bytes.get(U64, at + Long.BYTES);
      crc =
          t[15 * VALUES + (int) (a & 0xff)]
              ^ t[14 * VALUES + (int) (a >>> 8 & 0xff)]
              ^ t[13 * VALUES + (int) (a >>> 16 & 0xff)]
              ^ t[12 * VALUES + (int) (a >>> 24 & 0xff)]
              ^ t[11 * VALUES + (int) (a >>> 32 & 0xff)]
              ^ t[10 * VALUES + (int) (a >>> 40 & 0xff)]
              ^ t[9 * VALUES + (int) (a >>> 48 & 0xff)]
              ^ t[8 * VALUES + (int) (a >>> 56)]
              ^ t[7 * VALUES + (int) (b & 0xff)]
              ^ t[6 * VALUES + (int) (b >>> 8 & 0xff)]
              ^ t[5 * VALUES + (int) (b >>> 16 & 0xff)]
              ^ t[4 * VALUES + (int) (b >>> 24 & 0xff)]
              ^ t[3 * VALUES + (int) (b >>> 32 & 0xff)]
              ^ t[2 * VALUES + (int) (b >>> 40 & 0xff)]
              ^ t[VALUES + (int) (b >>> 48 & 0xff)]
              ^ t[(int) (b >>> 56)];
    }
    for (long at = whole; at < size; at++) {
      crc = crc >>> 8 ^ t[(int) (crc ^ bytes.get(ValueLayout.JAVA_BYTE, at)) & 0xff];
    }
    return crc;
  }
}
