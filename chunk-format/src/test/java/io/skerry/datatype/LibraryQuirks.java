package io.skerry.datatype;

import java.lang.foreign.MemorySegment;

/**
 * What the library does otherwise than the rules that this one follows. Its conversions of numbers
 * of the machine are right; those that it does bit by bit, for all other formats and for numbers in
 * another byte order, are not in some corners.
 */
final class LibraryQuirks {
  private LibraryQuirks() {}

  /** Whether a difference between two converted numbers is known. */
  static boolean explain(
      RandomTypes.Pair pair,
      MemorySegment in,
      MemorySegment ours,
      MemorySegment library,
      String version) {
    if (pair.to().equals(RandomTypes.EXTENDED)
        && ours.asSlice(0, 10).mismatch(library.asSlice(0, 10)) == -1) {
      return true; // What pads such a number is what happened to be there.
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
          // What the processor makes of it.
          case FixedPoint _ when value.kind() == BinaryReal.Kind.NAN -> !bitByBit;
          case FixedPoint b when bitByBit -> isLost(value, b);
          case FixedPoint b -> isOverLimit(a, value, b);
          default -> false;
        };
      }
      // Version 2.0 takes the names of one type for those of the other.
      case Enumeration _ -> pair.to() instanceof Enumeration && version.startsWith("2.0.");
      default -> false;
    };
  }

  /** Limits of integers are rounded: to infinity as halves, to one too many as other numbers. */
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

  /** Integers of one width in two byte orders are swapped; nothing is clipped. */
  private static boolean isOnlySwapped(FixedPoint a, FixedPoint b) {
    return a.size() == b.size()
        && a.order() != b.order()
        && a.signedness() != b.signedness()
        && a.offset() == b.offset()
        && a.precision() == b.precision();
  }

  /**
   * Ties go away from zero; numbers below the least normal one and beyond the greatest go astray.
   */
  private static boolean isCorner(BinaryReal value, FloatingPoint to) {
    boolean implied = to.normalization() == FloatingPoint.Normalization.MSB_IMPLIED;
    int precision = to.mantissaSize() + (implied ? 1 : 0);
    int bits = value.significand().bitLength();
    long top = bits - 1 + value.exponent();
    boolean tie = value.significand().getLowestSetBit() == bits - precision - 1;
    return tie || top < 1 - to.bias() || top >= to.bias();
  }

  /** Negative fractions become the least integer; parts of a word lose a bit. */
  private static boolean isLost(BinaryReal value, FixedPoint to) {
    return !to.isWhole() || value.sign() < 0 && value.toDouble() > -1;
  }
}
