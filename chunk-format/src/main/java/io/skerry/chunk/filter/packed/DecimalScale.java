package io.skerry.chunk.filter.packed;

import java.util.OptionalDouble;

/**
 * The arithmetic of the scale-offset filter for floating-point numbers. A value is the minimum plus
 * a number of units; a unit is ten to the power of minus the scale factor. As in the HDF5 library,
 * each result is rounded to the precision of the type.
 */
final class DecimalScale {
  private final int size;
  private final double factor;
  private final double unit;
  private final OptionalDouble fill;

  DecimalScale(ScaleOffsetParameters p) {
    size = p.size();
    factor = typed(Math.pow(10, p.factor()));
    unit = typed(Math.pow(10, -p.factor()));
    fill =
        p.fill().isPresent()
            ? OptionalDouble.of(value(p.fill().getAsLong()))
            : OptionalDouble.empty();
  }

  /** Returns the floating-point number with the given bits. */
  double value(long bits) {
    return size == 4 ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
  }

  /** Returns the bits of a number. */
  long bitsOf(double value) {
    return size == 4
        ? Float.floatToRawIntBits((float) value) & 0xffffffffL
        : Double.doubleToRawLongBits(value);
  }

  /** Returns whether a number is close enough to the fill value to be treated as equal. */
  boolean isFill(double value) {
    return fill.isPresent() && Math.abs(typed(value - fill.getAsDouble())) < unit;
  }

  /** Returns the distance from the minimum in units, not rounded to an integer. */
  double units(double value, double minimum) {
    return typed(typed(value * factor) - typed(minimum * factor));
  }

  /**
   * Returns the number at a distance from the minimum: the inverse of {@link #units}.
   *
   * @param units the distance in units; for 4-byte numbers, a signed number in the low 32 bits
   */
  double value(long units, double minimum) {
    double count = size == 4 ? (float) (int) units : (double) units;
    return typed(typed(count / factor) + minimum);
  }

  private double typed(double value) {
    return size == 4 ? (float) value : value;
  }
}
