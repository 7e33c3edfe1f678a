package io.skerry.chunk.datatype.conversion;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.skerry.datatype.BitPadding;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.Signedness;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/**
 * Loads and stores integers of 1, 2 or 4 bytes that fit in an int, as ints. This class corresponds
 * to {@link IntegerElements}, which uses longs; with ints, a vector instruction processes twice as
 * many numbers.
 */
final class SmallIntegerElements {
  private final FixedPoint type;
  private final int size;
  private final ByteOrder order;
  private final boolean signed;
  private final int min;
  private final int max;

  SmallIntegerElements(FixedPoint type) {
    this.type = type;
    this.size = type.size();
    this.order = type.order() == Endian.BIG ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    this.signed = type.signedness() == Signedness.SIGNED;
    int bits = type.precision();
    this.min = signed ? -1 << (bits - 1) : 0;
    this.max = signed ? ~min : (1 << bits) - 1;
  }

  static boolean hold(FixedPoint type) {
    boolean signed = type.signedness() == Signedness.SIGNED;
    return (type.size() == 1 || type.size() == 2 || type.size() == 4)
        && type.precision() <= (signed ? 32 : 31);
  }

  void load(MemorySegment in, long first, int[] block, int n) {
    long at = first * size;
    switch (size) {
      case 1 -> {
        for (int i = 0; i < n; i++) {
          block[i] = in.get(JAVA_BYTE, at + i);
        }
      }
      case 2 -> {
        short[] raw = new short[n];
        MemorySegment.copy(in, JAVA_SHORT_UNALIGNED.withOrder(order), at, raw, 0, n);
        for (int i = 0; i < n; i++) {
          block[i] = raw[i];
        }
      }
      default -> MemorySegment.copy(in, JAVA_INT_UNALIGNED.withOrder(order), at, block, 0, n);
    }
    if (signed && type.isWhole()) {
      return;
    }
    int above = 32 - type.precision();
    int shift = above - type.offset();
    for (int i = 0; i < n; i++) {
      int top = block[i] << shift;
      block[i] = signed ? top >> above : top >>> above;
    }
  }

  /**
   * Stores clipped values. The bits outside the precision are set according to the padding of the
   * type.
   */
  void store(MemorySegment out, long first, int[] block, int n) {
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
        MemorySegment.copy(raw, 0, out, JAVA_SHORT_UNALIGNED.withOrder(order), at, n);
      }
      default -> MemorySegment.copy(block, 0, out, JAVA_INT_UNALIGNED.withOrder(order), at, n);
    }
  }

  private void place(int[] block, int n) {
    int mask = -1 >>> (32 - type.precision()) << type.offset();
    int low = (1 << type.offset()) - 1;
    int padding =
        (type.padding().low() == BitPadding.Bit.ONE ? low : 0)
            | (type.padding().high() == BitPadding.Bit.ONE ? ~(mask | low) : 0);
    for (int i = 0; i < n; i++) {
      block[i] = (block[i] << type.offset() & mask) | padding;
    }
  }

  /** Clips values loaded by {@code source} to the range of this type. */
  void clip(int[] block, int n, SmallIntegerElements source) {
    int least = min;
    int most = max;
    if (least <= source.min && source.max <= most) {
      return;
    }
    for (int i = 0; i < n; i++) {
      block[i] = Math.min(Math.max(block[i], least), most);
    }
  }

  /** Truncates numbers and clips them to the range of this type; NaN becomes 0. */
  void clip(double[] numbers, int[] block, int n) {
    int least = min;
    int most = max;
    for (int i = 0; i < n; i++) {
      block[i] = Math.min(Math.max((int) numbers[i], least), most);
    }
  }
}
