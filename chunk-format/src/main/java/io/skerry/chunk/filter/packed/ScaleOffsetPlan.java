package io.skerry.chunk.filter.packed;

import io.skerry.chunk.filter.packed.ScaleOffsetParameters.Kind;
import java.util.OptionalLong;

/**
 * How a chunk's values are to be written: as differences from their minimum, in so many bits.
 *
 * <p>If there is a fill value, the largest difference stands for it. The bits chosen are those that
 * the HDF5 library chooses.
 *
 * @param bits bits per value; all those of an element mean that the values are stored as they are
 * @param minimum bits of the smallest value that is no fill value, sign-extended if integer
 */
record ScaleOffsetPlan(int bits, long minimum) {
  /** For integers; values are given extended to 64 bits. */
  static ScaleOffsetPlan ofIntegers(ScaleOffsetParameters p, long[] values) {
    // Unsigned numbers compare like signed ones that start at the other end.
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

  /** For floats; a value that is not finite keeps the whole chunk as it is. */
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

  /** Whether the values are stored as they are. */
  boolean isWhole(ScaleOffsetParameters p) {
    return bits == p.width();
  }

  /** What stands for the fill value. */
  long fillMark() {
    return bits == 0 ? 0 : -1L >>> (64 - bits);
  }

  private static int ceilLog2(long numbers) {
    return 64 - Long.numberOfLeadingZeros(numbers - 1);
  }
}
