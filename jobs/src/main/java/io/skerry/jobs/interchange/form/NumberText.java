package io.skerry.jobs.interchange.form;

import io.skerry.chunk.datatype.conversion.BinaryReal;
import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.datatype.ComplexType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.datatype.Signedness;
import io.skerry.exception.UnsupportedFeatureException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Formats and parses numbers of one datatype without loss: integers of up to 64 bits in decimal;
 * binary16, binary32 and binary64 with enough digits to restore the same number; complex numbers as
 * two such numbers. Every NaN is written as {@code nan}.
 */
public final class NumberText {
  private static final List<Endian> ORDERS = List.of(Endian.LITTLE, Endian.BIG);

  private final Datatype type;

  private NumberText(Datatype type) {
    this.type = type;
  }

  /**
   * Returns the formatter for a datatype.
   *
   * @throws UnsupportedFeatureException if numbers of this datatype cannot be written as text
   */
  static NumberText of(Datatype type) {
    boolean known =
        isReal(type) || type instanceof FixedPoint whole && whole.size() <= 8 || isComplex(type);
    if (!known) {
      throw new UnsupportedFeatureException("numbers of type " + type, "Matrix Market text");
    }
    return new NumberText(type);
  }

  /** Returns whether the elements of a datatype are numbers, real or complex. */
  public static boolean isNumber(Datatype type) {
    return type instanceof FixedPoint || type instanceof FloatingPoint || isComplex(type);
  }

  private static boolean isReal(Datatype type) {
    return type instanceof FloatingPoint real && real.isIeee();
  }

  /**
   * Returns whether a datatype is complex, with IEEE floating-point parts: the complex class
   * introduced in HDF5 2.0, or a compound with the members {@code r} and {@code i}, as in h5py.
   */
  static boolean isComplex(Datatype type) {
    return switch (type) {
      case ComplexType complex -> isReal(complex.part());
      case Compound(int size, List<Compound.Member> members) ->
          members.size() == 2
              && isReal(members.getFirst().type())
              && members.getFirst().name().equals("r")
              && members.getFirst().offset() == 0
              && members.getLast().name().equals("i")
              && members.getLast().type().equals(members.getFirst().type())
              && members.getLast().offset() == size / 2
              && size == 2 * members.getFirst().type().size();
      default -> false;
    };
  }

  /** Returns the complex datatype of h5py with parts of the given type. */
  static Compound complexOf(FloatingPoint part) {
    return new Compound(
        2 * part.size(),
        List.of(new Compound.Member("r", 0, part), new Compound.Member("i", part.size(), part)));
  }

  /**
   * Returns the datatype with the given name in the form that {@link #nameOf} returns, such as
   * {@code u16}, {@code f32be} or {@code complex64}.
   *
   * @return the datatype; empty if the name is unknown
   */
  public static Optional<Datatype> typeOf(String name) {
    return types().stream().filter(type -> nameOf(type).equals(name)).findFirst();
  }

  private static List<Datatype> types() {
    List<Datatype> types = new ArrayList<>();
    for (Endian order : ORDERS) {
      for (int size : new int[] {1, 2, 4, 8}) {
        for (Signedness signedness : Signedness.values()) {
          types.add(FixedPoint.of(size, signedness, order));
        }
      }
      for (FloatingPoint real : List.of(Datatype.F16, Datatype.F32, Datatype.F64)) {
        types.add(real.withOrder(order));
        types.add(complexOf(real.withOrder(order)));
        types.add(new ComplexType(real.withOrder(order)));
      }
    }
    return types;
  }

  /**
   * Returns the name of a datatype: its string representation or, for a complex compound, a name
   * such as {@code complex64}.
   */
  static String nameOf(Datatype type) {
    if (type instanceof Compound compound && isComplex(type)) {
      String part = String.valueOf(compound.members().getFirst().type());
      return "complex" + 8 * compound.size() + (part.endsWith("be") ? "be" : "");
    }
    return String.valueOf(type);
  }

  /** Returns the size of a number in bytes. */
  int size() {
    return type.size();
  }

  /** Appends the text of one element of packed values. */
  void append(MemorySegment values, long element, StringBuilder out) {
    MemorySegment value = values.asSlice(element * type.size(), type.size());
    switch (type) {
      case FixedPoint whole -> out.append(whole.read(value, 0));
      case FloatingPoint real -> appendReal(real, value, out);
      case ComplexType complex -> appendPair(complex.part(), value, out);
      case Compound compound ->
          appendPair((FloatingPoint) compound.members().getFirst().type(), value, out);
      default -> throw new IllegalStateException("not a numeric type: type=" + type);
    }
  }

  private static void appendPair(FloatingPoint part, MemorySegment value, StringBuilder out) {
    appendReal(part, value, out);
    out.append(' ');
    appendReal(part, value.asSlice(part.size()), out);
  }

  private static void appendReal(FloatingPoint type, MemorySegment value, StringBuilder out) {
    double[] number = new double[1];
    Conversion.between(type, Datatype.F64.withOrder(nativeOrder()))
        .convert(value, MemorySegment.ofArray(number), 1);
    double real = number[0];
    if (Double.isNaN(real)) {
      out.append("nan");
    } else if (Double.isInfinite(real)) {
      out.append(real > 0 ? "inf" : "-inf");
    } else if (type.size() <= 4) {
      out.append((float) real);
    } else {
      out.append(real);
    }
  }

  /**
   * Parses a number and stores it as one element of packed values.
   *
   * @param texts the text of the number; for a complex datatype, the text of the real part,
   *     optionally followed by that of the imaginary part
   * @throws NumberFormatException if a text is not a number of this datatype
   */
  void parse(List<String> texts, MemorySegment values, long element) {
    MemorySegment value = values.asSlice(element * type.size(), type.size());
    switch (type) {
      case FixedPoint whole -> parseWhole(whole, texts.getFirst(), value);
      case FloatingPoint real -> parseReal(real, texts.getFirst(), value);
      case ComplexType complex -> parsePair(complex.part(), texts, value);
      case Compound compound ->
          parsePair((FloatingPoint) compound.members().getFirst().type(), texts, value);
      default -> throw new IllegalStateException("not a numeric type: type=" + type);
    }
  }

  private static void parsePair(FloatingPoint part, List<String> texts, MemorySegment value) {
    parseReal(part, texts.getFirst(), value.asSlice(0, part.size()));
    if (texts.size() > 1) {
      parseReal(part, texts.getLast(), value.asSlice(part.size()));
    }
  }

  private static void parseWhole(FixedPoint type, String text, MemorySegment value) {
    boolean signed = type.signedness() == Signedness.SIGNED;
    long number = signed ? Long.parseLong(text) : Long.parseUnsignedLong(text);
    Conversion.between(FixedPoint.of(8, type.signedness(), nativeOrder()), type)
        .convert(MemorySegment.ofArray(new long[] {number}), value, 1);
    if (!type.read(value, 0)
        .toString()
        .equals(signed ? Long.toString(number) : Long.toUnsignedString(number))) {
      throw new NumberFormatException("outside the range of " + type + ": number=" + text);
    }
  }

  private static void parseReal(FloatingPoint type, String text, MemorySegment value) {
    String plain = text.toLowerCase(Locale.ROOT);
    double number =
        switch (plain) {
          case "nan", "-nan" -> Double.NaN;
          case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
          case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
          default -> type.size() <= 4 ? Float.parseFloat(plain) : Double.parseDouble(plain);
        };
    Conversion.between(Datatype.F64.withOrder(nativeOrder()), type)
        .convert(MemorySegment.ofArray(new double[] {number}), value, 1);
    if (isInfinite(type, number, value) && !plain.contains("inf")) {
      throw new NumberFormatException("outside the range of " + type + ": number=" + text);
    }
  }

  /**
   * Returns whether a parsed number is infinite in its datatype. A finite {@code double} can
   * overflow a 16-bit type, so the stored bits are examined for such types.
   */
  private static boolean isInfinite(FloatingPoint type, double number, MemorySegment value) {
    return Double.isInfinite(number)
        || type.size() < 4 && BinaryReal.read(type, value, 0).kind() == BinaryReal.Kind.INFINITE;
  }

  private static Endian nativeOrder() {
    return java.nio.ByteOrder.nativeOrder() == java.nio.ByteOrder.LITTLE_ENDIAN
        ? Endian.LITTLE
        : Endian.BIG;
  }
}
