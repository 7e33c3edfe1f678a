package io.skerry.chunk.filter.packed;

import java.util.OptionalDouble;

/**
 * The arithmetic of scale-offset for floats: a value is a number of units above the minimum, a unit
 * being ten to the minus so many digits. All in the precision of the type, as the HDF5 library
 * calculates, or decoded values would differ in the last bit.
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

  /** The number with these bits. */
  double value(long bits) {
    return size == 4 ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
  }

  /** The bits of a number. */
  long bitsOf(double value) {
    return size == 4
        ? Float.floatToRawIntBits((float) value) & 0xffffffffL
        : Double.doubleToRawLongBits(value);
  }

  /** Whether it is so near the fill value that it counts as one. */
  boolean isFill(double value) {
    return fill.isPresent() && Math.abs(typed(value - fill.getAsDouble())) < unit;
  }

  /** Units above the minimum, not yet rounded. */
  double units(double value, double minimum) {
    return typed(typed(value * factor) - typed(minimum * factor));
  }

  /** The opposite, from the low bits of a signed number of units. */
  double value(long units, double minimum) {
    double count = size == 4 ? (float) (int) units : (double) units;
    return typed(typed(count / factor) + minimum);
  }

  private double typed(double value) {
    return size == 4 ? (float) value : value;
  }
}
