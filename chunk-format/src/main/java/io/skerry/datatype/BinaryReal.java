package io.skerry.datatype;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteOrder;

/**
 * A floating-point number taken apart: {@code sign * significand * 2^exponent}, exactly, whatever
 * the widths and places of its fields. The slow and general road between floating-point types.
 *
 * @param kind whether it is a number at all
 * @param sign 1 or -1, also of zero
 * @param significand not negative; zero unless finite
 * @param exponent of its lowest bit
 */
public record BinaryReal(Kind kind, int sign, BigInteger significand, long exponent) {
  private static final ValueLayout.OfDouble DOUBLE =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Exponents beyond this are as good as infinite in every type that is converted to. */
  private static final long FAR = 1L << 40;

  /** The value as a number. */
  public enum Kind {
    FINITE,
    INFINITE,
    NAN
  }

  /** A whole number. */
  public static BinaryReal of(BigInteger number) {
    return new BinaryReal(Kind.FINITE, number.signum() < 0 ? -1 : 1, number.abs(), 0);
  }

  /** Takes the element at a byte offset apart. */
  public static BinaryReal read(FloatingPoint type, MemorySegment in, long at) {
    BigInteger bits = ElementBits.read(type.order(), type.size(), in, at);
    int sign = bits.testBit(type.signPosition()) ? -1 : 1;
    int width = type.mantissaSize();
    BigInteger field = ElementBits.field(bits, type.mantissaPosition(), width);
    BigInteger power = ElementBits.field(bits, type.exponentPosition(), type.exponentSize());
    boolean implied = type.normalization() == FloatingPoint.Normalization.MSB_IMPLIED;
    if (power.bitCount() == type.exponentSize()) {
      // The stored leading bit of an infinite number may be set.
      BigInteger rest = implied ? field : field.clearBit(width - 1);
      Kind kind = rest.signum() == 0 ? Kind.INFINITE : Kind.NAN;
      return new BinaryReal(kind, sign, BigInteger.ZERO, 0);
    }
    long biased = power.bitLength() > 40 ? FAR : power.longValue();
    long lowest = Math.max(biased, 1) - type.bias() - (implied ? width : width - 1);
    BigInteger significand = implied && biased != 0 ? field.setBit(width) : field;
    return new BinaryReal(Kind.FINITE, sign, significand, lowest);
  }

  /** The nearest value of a type, ties to even; beyond its range infinite. */
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
        // As HDF5 does, beyond the greatest value everything is infinite, however near it is.
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
    ElementBits.write(bits, type.order(), type.size(), out, at);
  }

  private boolean isGreaterThan(BigInteger rounded, long lowest) {
    return lowest > exponent
        && rounded.shiftLeft((int) (lowest - exponent)).compareTo(significand) < 0;
  }

  /** As HDF5 does, every bit of a number that is none is set. */
  private BigInteger special(int width, boolean implied) {
    if (kind == Kind.NAN) {
      return BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE);
    }
    return implied ? BigInteger.ZERO : BigInteger.ONE.shiftLeft(width - 1);
  }

  private BigInteger rounded(long shift, int precision) {
    if (shift <= 0) {
      // Never more than the precision, since the lowest bit kept is not below the lowest there is.
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
   * The whole number that is left without the fraction, or the nearest bound; 0 of what is no
   * number.
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
    // A left shift is bounded by the bits that the result may have, a right one by those there are.
    BigInteger whole = significand.shiftLeft((int) exponent);
    return (sign < 0 ? whole.negate() : whole).max(least).min(most);
  }

  /** The nearest double. */
  public double toDouble() {
    MemorySegment bits = MemorySegment.ofArray(new long[1]);
    write(Datatype.F64, bits, 0);
    return bits.get(DOUBLE, 0);
  }
}
