package io.skerry.chunk.datatype.conversion;

import io.skerry.datatype.Datatype;
import io.skerry.datatype.FloatingPoint;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteOrder;

/**
 * An exact decomposition of a floating-point number: {@code sign * significand * 2^exponent}. The
 * fields of a stored number can have any width and any position that {@link FloatingPoint} allows.
 * Immutable, thread-safe.
 *
 * @param kind the kind: finite number, infinity or NaN
 * @param sign the sign: 1 or -1, including for zero
 * @param significand the significand, at least 0; 0 for infinity and NaN
 * @param exponent the binary exponent of the lowest bit of the significand
 */
public record BinaryReal(Kind kind, int sign, BigInteger significand, long exponent) {
  private static final ValueLayout.OfDouble DOUBLE =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** The value that replaces a biased exponent of more than 40 bits. */
  private static final long FAR = 1L << 40;

  /** The kind of a value. */
  public enum Kind {
    FINITE,
    INFINITE,
    NAN
  }

  /** Decomposes an integer. Local, thread-safe; does not fail. */
  public static BinaryReal of(BigInteger number) {
    return new BinaryReal(Kind.FINITE, number.signum() < 0 ? -1 : 1, number.abs(), 0);
  }

  /**
   * Decomposes an element. Local, thread-safe.
   *
   * @param type the type of the element
   * @param in the memory that contains the element
   * @param at the offset of the element in {@code in}, in bytes
   * @throws IndexOutOfBoundsException if the element is not within {@code in}
   */
  public static BinaryReal read(FloatingPoint type, MemorySegment in, long at) {
    BigInteger bits = type.readBits(in, at);
    int sign = bits.testBit(type.signPosition()) ? -1 : 1;
    int width = type.mantissaSize();
    BigInteger field = field(bits, type.mantissaPosition(), width);
    BigInteger power = field(bits, type.exponentPosition(), type.exponentSize());
    boolean implied = type.normalization() == FloatingPoint.Normalization.MSB_IMPLIED;
    if (power.bitCount() == type.exponentSize()) {
      // If the type stores the leading mantissa bit, that bit may be set in an infinity.
      BigInteger rest = implied ? field : field.clearBit(width - 1);
      Kind kind = rest.signum() == 0 ? Kind.INFINITE : Kind.NAN;
      return new BinaryReal(kind, sign, BigInteger.ZERO, 0);
    }
    long biased = power.bitLength() > 40 ? FAR : power.longValue();
    long lowest = Math.max(biased, 1) - type.bias() - (implied ? width : width - 1);
    BigInteger significand = implied && biased != 0 ? field.setBit(width) : field;
    return new BinaryReal(Kind.FINITE, sign, significand, lowest);
  }

  private static BigInteger field(BigInteger bits, int position, int width) {
    return bits.shiftRight(position).and(BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE));
  }

  /**
   * Writes the value of the given type that is nearest to this number; ties are rounded to even.
   * Writes infinity if the rounded number exceeds the range of the type or, for an {@linkplain
   * FloatingPoint#isIeee IEEE type}, if the number itself exceeds the range. Local, thread-safe.
   *
   * @param type the type of the element to write
   * @param out the memory to write to
   * @param at the offset of the element in {@code out}, in bytes
   * @throws IndexOutOfBoundsException if the element is not within {@code out}
   */
  public void write(FloatingPoint type, MemorySegment out, long at) {
    boolean implied = type.normalization() == FloatingPoint.Normalization.MSB_IMPLIED;
    int width = type.mantissaSize();
    BigInteger most = BigInteger.ONE.shiftLeft(type.exponentSize()).subtract(BigInteger.ONE);
    BigInteger power = BigInteger.ZERO;
    BigInteger field = BigInteger.ZERO;
    if (kind == Kind.FINITE && significand.signum() != 0) {
      int precision = implied ? width + 1 : width;
      long top = significand.bitLength() - 1 + exponent;
      long lowest = Math.max(top, 1 - type.bias()) - (precision - 1);
      BigInteger rounded = rounded(lowest - exponent, precision);
      if (rounded.bitLength() > precision) {
        rounded = rounded.shiftRight(1);
        lowest++;
      }
      if (rounded.bitLength() == precision) {
        power = BigInteger.valueOf(lowest + precision - 1 + type.bias());
      }
      field = implied && power.signum() != 0 ? rounded.clearBit(width) : rounded;
      boolean greatest =
          rounded.bitCount() == precision && power.equals(most.subtract(BigInteger.ONE));
      if (greatest && isGreaterThan(rounded, lowest) && type.isIeee()) {
        // As in HDF5, any number above the greatest finite value of an IEEE type becomes
        // infinite, however close it is to that value.
        power = most;
      }
    }
    if (kind != Kind.FINITE || power.compareTo(most) >= 0) {
      power = most;
      field = special(width, implied);
    }
    BigInteger bits =
        field.shiftLeft(type.mantissaPosition()).or(power.shiftLeft(type.exponentPosition()));
    bits = sign < 0 ? bits.setBit(type.signPosition()) : bits;
    type.writeBits(bits, out, at);
  }

  private boolean isGreaterThan(BigInteger rounded, long lowest) {
    return lowest > exponent
        && rounded.shiftLeft((int) (lowest - exponent)).compareTo(significand) < 0;
  }

  /**
   * Returns the mantissa of an infinity or a NaN. As in HDF5, all mantissa bits of a NaN are set.
   */
  private BigInteger special(int width, boolean implied) {
    if (kind == Kind.NAN) {
      return BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE);
    }
    return implied ? BigInteger.ZERO : BigInteger.ONE.shiftLeft(width - 1);
  }

  private BigInteger rounded(long shift, int precision) {
    if (shift <= 0) {
      // The left shift is less than the precision: the significand has at least one bit, and the
      // result has at most as many bits as the precision.
      return significand.shiftLeft((int) Math.max(shift, -precision) * -1);
    }
    if (shift > significand.bitLength() + 1L) {
      return BigInteger.ZERO;
    }
    int places = (int) shift;
    BigInteger kept = significand.shiftRight(places);
    boolean half = significand.testBit(places - 1);
    boolean more = half && (significand.getLowestSetBit() < places - 1 || kept.testBit(0));
    return more ? kept.add(BigInteger.ONE) : kept;
  }

  /**
   * Truncates this number to an integer and clamps it to the range of an integer type. Local,
   * thread-safe; does not fail.
   *
   * @param least the lower bound of the range, the result for negative infinity; at most 0, and for
   *     a signed type {@code -most - 1}
   * @param most the upper bound of the range, the result for positive infinity
   * @return the integer, or 0 for NaN
   */
  public BigInteger toInteger(BigInteger least, BigInteger most) {
    if (kind == Kind.NAN || significand.signum() == 0 && kind == Kind.FINITE) {
      return BigInteger.ZERO;
    }
    long bits = significand.bitLength() + exponent;
    if (kind == Kind.INFINITE || bits > most.bitLength() + 1L) {
      return sign < 0 ? least : most;
    }
    if (bits <= 0) {
      return BigInteger.ZERO;
    }
    // The checks above bound a left shift by the length of the result and a right shift by the
    // length of the significand.
    BigInteger whole = significand.shiftLeft((int) exponent);
    return (sign < 0 ? whole.negate() : whole).max(least).min(most);
  }

  /**
   * Returns the nearest double, ties to even; infinity if the number exceeds the range of a double.
   * Local, thread-safe; does not fail.
   */
  public double toDouble() {
    MemorySegment bits = MemorySegment.ofArray(new long[1]);
    write(Datatype.F64, bits, 0);
    return bits.get(DOUBLE, 0);
  }
}
