package io.skerry.chunk.datatype.conversion;

import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FloatingPoint;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Loads and stores floating-point numbers of one stored type as doubles. IEEE binary16, binary32,
 * binary64 and bfloat16 are transferred in bulk, all other types one number at a time.
 */
final class FloatElements {
  private static final ValueLayout.OfDouble LITTLE_DOUBLE =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final float MAX_HALF = 65504;

  private enum Form {
    HALF,
    BRAIN,
    SINGLE,
    DOUBLE,
    OTHER
  }

  private final FloatingPoint type;
  private final Form form;
  private final ByteOrder order;

  FloatElements(FloatingPoint type) {
    this.type = type;
    this.form = form(type);
    this.order = type.order() == Endian.BIG ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }

  private static Form form(FloatingPoint type) {
    if (!type.isIeee()) {
      boolean brain = type.equals(FloatingPoint.ieee(2, 7, 8, type.order()));
      return brain && type.order() != Endian.VAX ? Form.BRAIN : Form.OTHER;
    }
    return switch (type.size()) {
      case 2 -> Form.HALF;
      case 4 -> Form.SINGLE;
      default -> Form.DOUBLE;
    };
  }

  boolean isSingle() {
    return form == Form.SINGLE;
  }

  boolean isDouble() {
    return form == Form.DOUBLE;
  }

  /** Returns whether every value of the type can be represented exactly as a double. */
  boolean fitDoubles() {
    if (form != Form.OTHER) {
      return true;
    }
    boolean implied = type.normalization() == FloatingPoint.Normalization.MSB_IMPLIED;
    int fraction = implied ? type.mantissaSize() : type.mantissaSize() - 1;
    return fraction <= 52
        && type.exponentSize() <= 11
        && (1L << type.exponentSize()) - 2 - type.bias() <= Double.MAX_EXPONENT
        && 1 - type.bias() - fraction >= Double.MIN_EXPONENT - 52;
  }

  void load(MemorySegment in, long first, double[] block, int n) {
    switch (form) {
      case HALF -> {
        ValueLayout.OfShort layout = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(order);
        short[] raw = new short[n];
        MemorySegment.copy(in, layout, first * 2, raw, 0, n);
        for (int i = 0; i < n; i++) {
          block[i] = Float.float16ToFloat(raw[i]);
        }
      }
      case BRAIN -> {
        ValueLayout.OfShort layout = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(order);
        short[] raw = new short[n];
        MemorySegment.copy(in, layout, first * 2, raw, 0, n);
        for (int i = 0; i < n; i++) {
          float number = Float.intBitsToFloat(raw[i] << 16);
          // As in HDF5, all mantissa bits of a NaN are set, regardless of the source.
          block[i] =
              Float.isNaN(number)
                  ? Double.longBitsToDouble((long) raw[i] << 48 | Long.MAX_VALUE)
                  : number;
        }
      }
      case SINGLE -> {
        ValueLayout.OfFloat layout = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(order);
        float[] raw = new float[n];
        MemorySegment.copy(in, layout, first * 4, raw, 0, n);
        for (int i = 0; i < n; i++) {
          block[i] = raw[i];
        }
      }
      case DOUBLE -> {
        ValueLayout.OfDouble layout = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(order);
        MemorySegment.copy(in, layout, first * 8, block, 0, n);
      }
      case OTHER -> {
        for (int i = 0; i < n; i++) {
          block[i] = BinaryReal.read(type, in, (first + i) * type.size()).toDouble();
        }
      }
    }
  }

  void store(MemorySegment out, long first, double[] block, int n) {
    switch (form) {
      case SINGLE -> {
        ValueLayout.OfFloat layout = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(order);
        float[] raw = new float[n];
        for (int i = 0; i < n; i++) {
          raw[i] = narrow(block[i]);
        }
        MemorySegment.copy(raw, 0, out, layout, first * 4, n);
      }
      case DOUBLE -> {
        ValueLayout.OfDouble layout = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(order);
        MemorySegment.copy(block, 0, out, layout, first * 8, n);
      }
      case HALF -> {
        ValueLayout.OfShort layout = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(order);
        short[] raw = new short[n];
        for (int i = 0; i < n; i++) {
          raw[i] = half(block[i]);
        }
        MemorySegment.copy(raw, 0, out, layout, first * 2, n);
      }
      case BRAIN -> {
        ValueLayout.OfShort layout = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(order);
        short[] raw = new short[n];
        for (int i = 0; i < n; i++) {
          raw[i] = brain(block[i]);
        }
        MemorySegment.copy(raw, 0, out, layout, first * 2, n);
      }
      case OTHER -> {
        MemorySegment one = MemorySegment.ofArray(new double[1]);
        FloatingPoint binary64 = Datatype.F64;
        for (int i = 0; i < n; i++) {
          one.set(LITTLE_DOUBLE, 0, block[i]);
          BinaryReal.read(binary64, one, 0).write(type, out, (first + i) * type.size());
        }
      }
    }
  }

  /** Stores floats in a binary32 type. */
  void store(MemorySegment out, long first, float[] block, int n) {
    ValueLayout.OfFloat layout = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(order);
    MemorySegment.copy(block, 0, out, layout, first * 4, n);
  }

  /**
   * Returns the nearest binary16 number. As in HDF5, every number beyond the greatest binary16
   * number becomes infinite.
   */
  private static short half(double number) {
    return Math.abs(number) > MAX_HALF
        ? Float.floatToFloat16(number > 0 ? Float.POSITIVE_INFINITY : Float.NEGATIVE_INFINITY)
        : Float.floatToFloat16(sticky(number));
  }

  /**
   * Returns the nearest bfloat16 number, with ties rounded to even. A bfloat16 number is the upper
   * half of a float.
   */
  private static short brain(double number) {
    float single = sticky(number);
    int bits = Float.floatToRawIntBits(single);
    return (short)
        (Float.isNaN(single) ? bits >> 16 | 0x7f : bits + 0x7fff + (bits >> 16 & 1) >> 16);
  }

  /**
   * Returns a float whose lowest bit is set if the conversion was inexact, so that a second
   * rounding to fewer bits has the same result as a single rounding.
   */
  private static float sticky(double number) {
    float single = (float) number;
    int bits = Float.floatToRawIntBits(single);
    boolean exact = single == number || Float.isNaN(single);
    if (exact || (bits & 1) != 0) {
      return single;
    }
    return Float.intBitsToFloat(Math.abs(single) < Math.abs(number) ? bits | 1 : bits - 1);
  }

  /**
   * Returns the nearest float. As in HDF5, every number beyond the greatest float becomes infinite,
   * even one that would round to the greatest float.
   */
  private static float narrow(double number) {
    if (number > Float.MAX_VALUE) {
      return Float.POSITIVE_INFINITY;
    }
    return number < -Float.MAX_VALUE ? Float.NEGATIVE_INFINITY : (float) number;
  }
}
