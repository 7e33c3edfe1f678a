package io.skerry.datatype;

import io.skerry.chunk.datatype.conversion.BinaryReal;
import java.lang.foreign.MemorySegment;

/**
 * Conversions of the library that differ from the rules of this implementation. Its conversions of
 * native numbers are correct. Its bitwise conversions, used for all other formats and byte orders,
 * are wrong in some cases.
 */
final class LibraryQuirks {
  private LibraryQuirks() {}

  /** Returns whether a difference between two converted numbers is known. */
  static boolean explain(
      RandomTypes.Pair pair,
      MemorySegment in,
      MemorySegment ours,
      MemorySegment library,
      String version) {
    if (pair.to().equals(RandomTypes.EXTENDED)
        && ours.asSlice(0, 10).mismatch(library.asSlice(0, 10)) == -1) {
      return true; // The padding bytes of such a number are undefined.
    }
    boolean bitByBit = !isOfTheMachine(pair.from()) || !isOfTheMachine(pair.to());
    return switch (pair.from()) {
      case FixedPoint a ->
          pair.to() instanceof FixedPoint b && isOnlySwapped(a, b)
              || pair.to() instanceof FloatingPoint f
                  && bitByBit
                  && isCorner(BinaryReal.of(a.read(in, 0)), f);
      case FloatingPoint a -> {
        BinaryReal value = BinaryReal.read(a, in, 0);
        yield switch (pair.to()) {
          case FloatingPoint b when value.kind() == BinaryReal.Kind.NAN ->
              isNan(b, ours) && isNan(b, library);
          case FloatingPoint b -> bitByBit && isCorner(value, b);
          // The integer to which a NaN is converted depends on the processor.
          case FixedPoint _ when value.kind() == BinaryReal.Kind.NAN -> !bitByBit;
          case FixedPoint b when bitByBit -> isLost(value, b);
          case FixedPoint b -> isOverLimit(a, value, b);
          default -> false;
        };
      }
      // HDF5 2.0 confuses the member names of the two enumerations.
      case Enumeration _ -> pair.to() instanceof Enumeration && version.startsWith("2.0.");
      default -> false;
    };
  }

  /**
   * Returns whether the library misses an overflow because it rounds the limit of the integer type:
   * to infinity for half precision, to one above the limit for other formats.
   */
  private static boolean isOverLimit(FloatingPoint from, BinaryReal value, FixedPoint to) {
    boolean signed = to.signedness() == Signedness.SIGNED;
    double limit = Math.scalb(1.0, to.precision() - (signed ? 1 : 0));
    double number = value.toDouble();
    boolean fits = number < limit && number >= (signed ? -limit : 0);
    return from.equals(Datatype.F16) ? !fits : number == limit;
  }

  private static boolean isOfTheMachine(Datatype type) {
    return switch (type) {
      case FixedPoint i ->
          i.isWhole()
              && i.order() == Endian.LITTLE
              && Integer.bitCount(i.size()) == 1
              && i.size() <= 8;
      case FloatingPoint f ->
          f.isIeee() && f.order() == Endian.LITTLE || f.equals(RandomTypes.EXTENDED);
      default -> false;
    };
  }

  private static boolean isNan(FloatingPoint type, MemorySegment in) {
    return BinaryReal.read(type, in, 0).kind() == BinaryReal.Kind.NAN;
  }

  /**
   * Returns whether the library swaps the bytes of integers of equal size without clipping them.
   */
  private static boolean isOnlySwapped(FixedPoint a, FixedPoint b) {
    return a.size() == b.size()
        && a.order() != b.order()
        && a.signedness() != b.signedness()
        && a.offset() == b.offset()
        && a.precision() == b.precision();
  }

  /**
   * Returns whether a number is a tie, which the library rounds away from zero, or outside the
   * range of normal numbers, where its results are wrong.
   */
  private static boolean isCorner(BinaryReal value, FloatingPoint to) {
    boolean implied = to.normalization() == FloatingPoint.Normalization.MSB_IMPLIED;
    int precision = to.mantissaSize() + (implied ? 1 : 0);
    int bits = value.significand().bitLength();
    long top = bits - 1 + value.exponent();
    boolean tie = value.significand().getLowestSetBit() == bits - precision - 1;
    return tie || top < 1 - to.bias() || top >= to.bias();
  }

  /**
   * Returns whether the library converts a negative fraction to the least integer, or loses a bit
   * of a partial word.
   */
  private static boolean isLost(BinaryReal value, FixedPoint to) {
    return !to.isWhole() || value.sign() < 0 && value.toDouble() > -1;
  }
}
