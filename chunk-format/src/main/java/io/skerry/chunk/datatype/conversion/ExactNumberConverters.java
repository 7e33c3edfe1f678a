package io.skerry.chunk.datatype.conversion;

import io.skerry.datatype.BitField;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.datatype.Signedness;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;

/**
 * Converts numbers one at a time with exact arithmetic. This slow path is used for numbers that are
 * wider than a {@code long} or than binary64, or that would be rounded twice in a conversion
 * through one of these types, and for conversions between bit fields.
 */
final class ExactNumberConverters {
  private ExactNumberConverters() {}

  static Converter step(Datatype from, Datatype to) {
    return new Converter.FullWrite(
        to.size(),
        (in, out, elements) -> {
          for (long i = 0; i < elements; i++) {
            move(from, in, i * from.size(), to, out, i * to.size());
          }
        });
  }

  private static void move(
      Datatype from, MemorySegment in, long inAt, Datatype to, MemorySegment out, long outAt) {
    if (to instanceof FloatingPoint target) {
      real(from, in, inAt).write(target, out, outAt);
      return;
    }
    FixedPoint target = (FixedPoint) to;
    int bits = target.precision();
    boolean signed = target.signedness() == Signedness.SIGNED;
    BigInteger most = BigInteger.ONE.shiftLeft(signed ? bits - 1 : bits).subtract(BigInteger.ONE);
    BigInteger least = signed ? most.not() : BigInteger.ZERO;
    BigInteger value =
        from instanceof FixedPoint source
            ? source.read(in, inAt)
            : real(from, in, inAt).toInteger(least, most);
    target.write(value.max(least).min(most), out, outAt);
  }

  private static BinaryReal real(Datatype type, MemorySegment in, long at) {
    return switch (type) {
      case FloatingPoint real -> BinaryReal.read(real, in, at);
      case FixedPoint integer -> BinaryReal.of(integer.read(in, at));
      default -> throw new IllegalArgumentException("not a numeric type: type=" + type);
    };
  }

  /** Returns a converter between bit fields. Drops excess high bits; values are not clipped. */
  static Converter bits(BitField from, BitField to) {
    FixedPoint target = unsigned(to);
    return new Converter.FullWrite(
        to.size(),
        (in, out, elements) -> {
          for (long i = 0; i < elements; i++) {
            target.write(from.read(in, i * from.size()), out, i * to.size());
          }
        });
  }

  /** Returns the unsigned integer type that represents a bit field in conversions. */
  static FixedPoint unsigned(BitField bits) {
    return new FixedPoint(
        bits.size(),
        bits.order(),
        Signedness.UNSIGNED,
        bits.offset(),
        bits.precision(),
        bits.padding());
  }
}
