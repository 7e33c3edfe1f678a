package io.skerry.chunk.datatype.conversion;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.skerry.datatype.BitPadding;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.Signedness;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/**
 * Loads and stores integers of one stored type as longs. An unsigned 64-bit value is represented by
 * the long with the same bits; {@link #isHuge} distinguishes it from a negative value.
 *
 * <p>The byte order is converted by bulk copies, because individual accesses are fast only with a
 * layout that is a compile-time constant.
 */
final class IntegerElements {
  private static final double TWO_63 = 0x1p63;

  private final FixedPoint type;
  private final int size;
  private final boolean big;
  private final boolean signed;
  private final long min;
  private final long max;

  IntegerElements(FixedPoint type) {
    this.type = type;
    this.size = type.size();
    this.big = type.order() == Endian.BIG;
    this.signed = type.signedness() == Signedness.SIGNED;
    int bits = type.precision();
    this.min = signed ? -1L << (bits - 1) : 0;
    this.max = signed ? ~min : bits == 64 ? Long.MAX_VALUE : (1L << bits) - 1;
  }

  private boolean isUnsigned64() {
    return !signed && type.precision() == 64;
  }

  /** Returns whether a loaded long represents a value of 2^63 or more. */
  private boolean isHuge(long value) {
    return value < 0 && isUnsigned64();
  }

  /** Clips values loaded by {@code source} to the range of this type. */
  void clip(long[] block, int n, IntegerElements source) {
    if (source.isUnsigned64()) {
      long huge = isUnsigned64() ? -1L : max;
      for (int i = 0; i < n; i++) {
        // With the sign bit flipped, signed order equals unsigned order.
        long limit = huge ^ Long.MIN_VALUE;
        block[i] = Math.min(block[i] ^ Long.MIN_VALUE, limit) ^ Long.MIN_VALUE;
      }
      return;
    }
    long least = min;
    long most = max;
    for (int i = 0; i < n; i++) {
      block[i] = Math.min(Math.max(block[i], least), most);
    }
  }

  /** Returns a number truncated and clipped to the range of this type; 0 for NaN. */
  long clip(double number) {
    if (isUnsigned64() && number >= TWO_63) {
      return number >= 2 * TWO_63 ? -1L : (long) (number - TWO_63) ^ Long.MIN_VALUE;
    }
    return Math.clamp((long) number, min, max);
  }

  double toDouble(long value) {
    return isHuge(value) ? (double) (value >>> 1 | (value & 1)) * 2 : (double) value;
  }

  /** Returns the nearest float, rounding once. A conversion through double would round twice. */
  float toFloat(long value) {
    return isHuge(value) ? (float) (value >>> 1 | (value & 1)) * 2 : (float) value;
  }

  void load(MemorySegment in, long first, long[] block, int n) {
    long at = first * size;
    switch (size) {
      case 1 -> {
        for (int i = 0; i < n; i++) {
          block[i] = in.get(JAVA_BYTE, at + i);
        }
      }
      case 2 -> {
        short[] raw = new short[n];
        MemorySegment.copy(in, JAVA_SHORT_UNALIGNED.withOrder(order()), at, raw, 0, n);
        for (int i = 0; i < n; i++) {
          block[i] = raw[i];
        }
      }
      case 4 -> {
        int[] raw = new int[n];
        MemorySegment.copy(in, JAVA_INT_UNALIGNED.withOrder(order()), at, raw, 0, n);
        for (int i = 0; i < n; i++) {
          block[i] = raw[i];
        }
      }
      case 8 -> MemorySegment.copy(in, JAVA_LONG_UNALIGNED.withOrder(order()), at, block, 0, n);
      default -> loadOdd(in, at, block, n);
    }
    int above = 64 - type.precision();
    int shift = above - type.offset();
    for (int i = 0; i < n; i++) {
      long top = block[i] << shift;
      block[i] = signed ? top >> above : top >>> above;
    }
  }

  private void loadOdd(MemorySegment in, long at, long[] block, int n) {
    for (int i = 0; i < n; i++) {
      long value = 0;
      for (int j = 0; j < size; j++) {
        long from = at + (long) i * size + (big ? j : size - 1 - j);
        value = value << 8 | (in.get(JAVA_BYTE, from) & 0xff);
      }
      block[i] = value;
    }
  }

  /**
   * Stores clipped values. The bits outside the precision are set according to the padding of the
   * type.
   */
  void store(MemorySegment out, long first, long[] block, int n) {
    if (!type.isWhole()) {
      place(block, n);
    }
    long at = first * size;
    switch (size) {
      case 1 -> {
        for (int i = 0; i < n; i++) {
          out.set(JAVA_BYTE, at + i, (byte) block[i]);
        }
      }
      case 2 -> {
        short[] raw = new short[n];
        for (int i = 0; i < n; i++) {
          raw[i] = (short) block[i];
        }
        MemorySegment.copy(raw, 0, out, JAVA_SHORT_UNALIGNED.withOrder(order()), at, n);
      }
      case 4 -> {
        int[] raw = new int[n];
        for (int i = 0; i < n; i++) {
          raw[i] = (int) block[i];
        }
        MemorySegment.copy(raw, 0, out, JAVA_INT_UNALIGNED.withOrder(order()), at, n);
      }
      case 8 -> MemorySegment.copy(block, 0, out, JAVA_LONG_UNALIGNED.withOrder(order()), at, n);
      default -> storeOdd(out, at, block, n);
    }
  }

  private void place(long[] block, int n) {
    long mask = -1L >>> (64 - type.precision()) << type.offset();
    long low = (1L << type.offset()) - 1;
    long padding =
        (type.padding().low() == BitPadding.Bit.ONE ? low : 0)
            | (type.padding().high() == BitPadding.Bit.ONE ? ~(mask | low) : 0);
    for (int i = 0; i < n; i++) {
      block[i] = (block[i] << type.offset() & mask) | padding;
    }
  }

  private void storeOdd(MemorySegment out, long at, long[] block, int n) {
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < size; j++) {
        long to = at + (long) i * size + (big ? size - 1 - j : j);
        out.set(JAVA_BYTE, to, (byte) (block[i] >>> (8 * j)));
      }
    }
  }

  private ByteOrder order() {
    return big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }
}
