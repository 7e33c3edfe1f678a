package io.skerry.internal.value;

import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.datatype.BitField;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.datatype.Signedness;
import io.skerry.datatype.Time;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;

/** Encodes numbers as elements of integer, floating-point, time and bit field types. Local. */
final class NumberWriter {
  private NumberWriter() {}

  /**
   * Encodes an integer.
   *
   * @throws IllegalArgumentException if the integer is outside the range of the type
   */
  static void whole(FixedPoint type, BigInteger value, MemorySegment out) {
    boolean signed = type.signedness() == Signedness.SIGNED;
    boolean fits =
        signed
            ? value.bitLength() < type.precision()
            : value.signum() >= 0 && value.bitLength() <= type.precision();
    if (!fits) {
      throw new IllegalArgumentException(
          "number outside its type: type=" + type + " value=" + value);
    }
    BigInteger mask = BigInteger.ONE.shiftLeft(type.precision()).subtract(BigInteger.ONE);
    bits(value.and(mask).shiftLeft(type.offset()), type.order(), out);
  }

  static void time(Time type, BigInteger value, MemorySegment out) {
    bits(unsigned(value, type.precision(), type), type.order(), out);
  }

  static void bitField(BitField type, BigInteger value, MemorySegment out) {
    bits(unsigned(value, type.precision(), type).shiftLeft(type.offset()), type.order(), out);
  }

  private static BigInteger unsigned(BigInteger value, int bits, Datatype type) {
    if (value.signum() < 0 || value.bitLength() > bits) {
      throw new IllegalArgumentException("bits outside the type: type=" + type + " value=" + value);
    }
    return value;
  }

  private static void bits(BigInteger value, Endian order, MemorySegment out) {
    long size = out.byteSize();
    for (long i = 0; i < size; i++) {
      byte b = value.shiftRight((int) (8 * i)).byteValue();
      out.set(ValueLayout.JAVA_BYTE, order == Endian.LITTLE ? i : size - 1 - i, b);
    }
  }

  static void real(FloatingPoint type, double value, MemorySegment out) {
    MemorySegment in = MemorySegment.ofArray(new byte[8]);
    bits(
        new BigInteger(Long.toUnsignedString(Double.doubleToRawLongBits(value))),
        Endian.LITTLE,
        in);
    Conversion.between(Datatype.F64, type).convert(in, out, 1);
  }

  /** Encodes an integer as the nearest floating-point number. */
  static void rounded(FloatingPoint type, BigInteger value, MemorySegment out) {
    int bytes = value.bitLength() / 8 + 1;
    MemorySegment in = MemorySegment.ofArray(new byte[bytes]);
    bits(value, Endian.LITTLE, in);
    Conversion.between(FixedPoint.of(bytes, Signedness.SIGNED, Endian.LITTLE), type)
        .convert(in, out, 1);
  }
}
