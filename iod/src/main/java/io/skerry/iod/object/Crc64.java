package io.skerry.iod.object;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The CRC-64 of ECMA-182, reflected, with all bits set initially and no final inversion. The
 * checksum of the nine bytes "123456789" is 66a2364420e6c605. Local, thread-safe.
 *
 * <p>A block of {@value #LEAST_NATIVE} bytes or more is passed to {@link Liblzma} if it is
 * installed. Otherwise, eight bytes are processed at a time with one table for each of their
 * positions (slicing). The bytes of a longer block outside the heap are processed in three parts at
 * the same time, since each step depends on the one before it in the same part; a table of the
 * effect of {@value #PART} zero bytes joins the checksums of the parts.
 */
public final class Crc64 {
  /** The checksum of no bytes. */
  public static final long EMPTY = -1;

  private static final long POLYNOMIAL = 0xc96c5795d7870f42L;
  private static final int VALUES = 256;
  private static final int STEP = Long.BYTES;
  private static final int LEAST_NATIVE = 64;

  /** The size in bytes of each of the three parts that are processed at the same time. */
  private static final int PART = 4096;

  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** The change caused by a byte that i other bytes follow, at index i * 256 + byte. */
  private static final long[] TABLE = table();

  /**
   * The share of byte i of a checksum in the checksum after a further part of zero bytes, at index
   * i * 256 + byte.
   */
  private static final long[] BEHIND = behind();

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

  private static long[] behind() {
    long[] behind = new long[Long.BYTES * VALUES];
    for (int bit = 0; bit < Long.SIZE; bit++) {
      long crc = 1L << bit;
      for (int i = 0; i < PART; i++) {
        crc = crc >>> 8 ^ TABLE[(int) crc & 0xff];
      }
      behind[bit / 8 * VALUES + (1 << bit % 8)] = crc;
    }
    for (int i = 0; i < behind.length; i++) {
      int value = i % VALUES;
      int lowest = Integer.lowestOneBit(value);
      behind[i] = value == lowest ? behind[i] : behind[i - lowest] ^ behind[i - value + lowest];
    }
    return behind;
  }

  /** Returns the checksum of bytes. Does not fail if they are accessible. */
  public static long of(MemorySegment bytes) {
    return update(EMPTY, bytes);
  }

  /**
   * Extends a checksum with further bytes. Does not fail if these are accessible.
   *
   * @param before the checksum of the preceding bytes; {@link #EMPTY} if there are none
   */
  public static long update(long before, MemorySegment bytes) {
    if (bytes.byteSize() >= LEAST_NATIVE && Liblzma.isInstalled()) {
      return Liblzma.update(before, bytes);
    }
    return inJava(before, bytes);
  }

  /** Computes {@link #update} without a native library. */
  static long inJava(long before, MemorySegment bytes) {
    // Two methods, so that the compiler optimizes each for one kind of memory.
    return bytes.isNative() ? outsideHeap(before, bytes) : inHeap(before, bytes);
  }

  private static long outsideHeap(long before, MemorySegment bytes) {
    long crc = before;
    long size = bytes.byteSize();
    long at = 0;
    for (; at <= size - 3 * PART; at += 3 * PART) {
      crc = threeParts(crc, bytes.asSlice(at, 3 * PART));
    }
    for (; at <= size - STEP; at += STEP) {
      crc = step(crc ^ bytes.get(U64, at));
    }
    for (; at < size; at++) {
      crc = crc >>> 8 ^ TABLE[(int) (crc ^ bytes.get(ValueLayout.JAVA_BYTE, at)) & 0xff];
    }
    return crc;
  }

  /** Processes three parts; a method of its own, so that the compiler optimizes its loop alone. */
  private static long threeParts(long before, MemorySegment parts) {
    long first = before;
    long second = 0;
    long third = 0;
    for (int i = 0; i < PART; i += STEP) {
      first = step(first ^ parts.get(U64, i));
      second = step(second ^ parts.get(U64, i + PART));
      third = step(third ^ parts.get(U64, i + 2 * PART));
    }
    return behind(behind(first) ^ second) ^ third;
  }

  private static long inHeap(long before, MemorySegment bytes) {
    long crc = before;
    long size = bytes.byteSize();
    long at = 0;
    for (; at <= size - STEP; at += STEP) {
      crc = step(crc ^ bytes.get(U64, at));
    }
    for (; at < size; at++) {
      crc = crc >>> 8 ^ TABLE[(int) (crc ^ bytes.get(ValueLayout.JAVA_BYTE, at)) & 0xff];
    }
    return crc;
  }

  private static long step(long word) {
    long[] t = TABLE;
    return t[7 * VALUES + (int) (word & 0xff)]
        ^ t[6 * VALUES + (int) (word >>> 8 & 0xff)]
        ^ (t[5 * VALUES + (int) (word >>> 16 & 0xff)] ^ t[4 * VALUES + (int) (word >>> 24 & 0xff)])
        ^ (t[3 * VALUES + (int) (word >>> 32 & 0xff)]
            ^ t[2 * VALUES + (int) (word >>> 40 & 0xff)]
            ^ (t[VALUES + (int) (word >>> 48 & 0xff)] ^ t[(int) (word >>> 56)]));
  }

  private static long behind(long crc) {
    long[] t = BEHIND;
    return t[(int) (crc & 0xff)]
        ^ t[VALUES + (int) (crc >>> 8 & 0xff)]
        ^ t[2 * VALUES + (int) (crc >>> 16 & 0xff)]
        ^ t[3 * VALUES + (int) (crc >>> 24 & 0xff)]
        ^ t[4 * VALUES + (int) (crc >>> 32 & 0xff)]
        ^ t[5 * VALUES + (int) (crc >>> 40 & 0xff)]
        ^ t[6 * VALUES + (int) (crc >>> 48 & 0xff)]
        ^ t[7 * VALUES + (int) (crc >>> 56)];
  }
}
