package io.skerry.chunk.filter.packed;

import io.skerry.chunk.filter.packed.ScaleOffsetParameters.Kind;
import java.util.OptionalLong;

/**
 * The parameters of an encoded chunk, in which each value is stored as its difference from the
 * minimum, in a fixed number of bits.
 *
 * <p>If there is a fill value, the largest number with this many bits represents it. The HDF5
 * library chooses the same number of bits.
 *
 * @param bits number of bits for each difference, or the number of bits in an element if the values
 *     are stored unchanged
 * @param minimum bits of the smallest value that is not a fill value, for integers extended to 64
 *     bits; 0 if there is no such value; meaningless if the values are stored unchanged
 */
record ScaleOffsetPlan(int bits, long minimum) {
  /**
   * Returns the plan for integers.
   *
   * @param values the values, extended to 64 bits
   */
  static ScaleOffsetPlan ofIntegers(ScaleOffsetParameters p, long[] values) {
    // With the sign bit flipped, signed order equals unsigned order.
    long flip = p.kind() == Kind.UNSIGNED && p.size() == 8 ? Long.MIN_VALUE : 0;
    OptionalLong fill =
        p.fill().isPresent() ? OptionalLong.of(p.extended(p.fill().getAsLong())) : p.fill();
    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    for (long value : values) {
      if (fill.isEmpty() || value != fill.getAsLong()) {
        low = Math.min(low, value ^ flip);
        high = Math.max(high, value ^ flip);
      }
    }
    if (low > high) {
      low = flip;
      high = flip;
    }
    if (p.factor() != 0) {
      return new ScaleOffsetPlan(p.factor(), low ^ flip);
    }
    long most = -1L >>> (64 - p.width());
    long spread = high - low;
    if (Long.compareUnsigned(spread, most - 2) > 0) {
      return new ScaleOffsetPlan(p.width(), 0);
    }
    long numbers = spread + 1 + (fill.isPresent() ? 1 : 0);
    return new ScaleOffsetPlan(ceilLog2(numbers), low ^ flip);
  }

  /**
   * Returns the plan for floating-point numbers. If a value is not finite, or if the range of the
   * values is too wide, all values are stored unchanged.
   */
  static ScaleOffsetPlan ofFloats(ScaleOffsetParameters p, DecimalScale scale, double[] values) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (double value : values) {
      if (!Double.isFinite(value)) {
        return new ScaleOffsetPlan(p.width(), 0);
      }
      if (!scale.isFill(value)) {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    if (low > high) {
      low = 0;
      high = 0;
    }
    double spread = scale.units(high, low);
    if (!(spread < Math.scalb(1.0, p.width() - 2))) {
      return new ScaleOffsetPlan(p.width(), 0);
    }
    long numbers = Math.round(spread) + 1 + (p.fill().isPresent() ? 1 : 0);
    return new ScaleOffsetPlan(ceilLog2(numbers), scale.bitsOf(low));
  }

  /** Returns whether the values are stored unchanged. */
  boolean isWhole(ScaleOffsetParameters p) {
    return bits == p.width();
  }

  /** Returns the difference that represents the fill value. */
  long fillMark() {
    return bits == 0 ? 0 : -1L >>> (64 - bits);
  }

  private static int ceilLog2(long numbers) {
    return 64 - Long.numberOfLeadingZeros(numbers - 1);
  }
}
