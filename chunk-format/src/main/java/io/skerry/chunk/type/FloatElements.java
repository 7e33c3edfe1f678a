package io.skerry.chunk.type;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** IEEE binary32 and binary64 of one stored type as doubles. */
final class FloatElements {
  private final boolean single;
  private final ByteOrder order;

  FloatElements(FloatingPoint type) {
    this.single = type.size() == 4;
    this.order = type.order() == Endian.BIG ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }

  static boolean can(FloatingPoint type) {
    return type.isIeee() && type.size() >= 4;
  }

  boolean isSingle() {
    return single;
  }

  void load(MemorySegment in, long first, double[] block, int n) {
    if (single) {
      ValueLayout.OfFloat layout = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(order);
      float[] raw = new float[n];
      MemorySegment.copy(in, layout, first * 4, raw, 0, n);
      for (int i = 0; i < n; i++) {
        block[i] = raw[i];
      }
    } else {
      ValueLayout.OfDouble layout = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(order);
      MemorySegment.copy(in, layout, first * 8, block, 0, n);
    }
  }

  void store(MemorySegment out, long first, double[] block, int n) {
    if (single) {
      ValueLayout.OfFloat layout = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(order);
      float[] raw = new float[n];
      for (int i = 0; i < n; i++) {
        raw[i] = narrow(block[i]);
      }
      MemorySegment.copy(raw, 0, out, layout, first * 4, n);
    } else {
      ValueLayout.OfDouble layout = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(order);
      MemorySegment.copy(block, 0, out, layout, first * 8, n);
    }
  }

  /** As HDF5 does, everything beyond the greatest float is infinite, however near it is. */
  private static float narrow(double number) {
    if (number > Float.MAX_VALUE) {
      return Float.POSITIVE_INFINITY;
    }
    return number < -Float.MAX_VALUE ? Float.NEGATIVE_INFINITY : (float) number;
  }
}
