package io.skerry.integration.random;

import io.skerry.datatype.ArrayType;
import io.skerry.datatype.BitField;
import io.skerry.datatype.BitPadding;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.ComplexType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.Enumeration;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.Reference;
import io.skerry.datatype.Signedness;
import io.skerry.datatype.StringPadding;
import io.skerry.datatype.StringType;
import io.skerry.datatype.Time;
import io.skerry.datatype.VariableLength;
import java.util.ArrayList;
import java.util.List;

/** Draws datatypes of every class. */
public final class TypeGenerator {
  private static final List<Endian> ORDERS = List.of(Endian.LITTLE, Endian.BIG);

  private final RandomChoice draw;
  private final FileForm form;

  /**
   * @param form of the file, which may not know all types
   */
  public TypeGenerator(RandomChoice draw, FileForm form) {
    this.draw = draw;
    this.form = form;
  }

  /** Any type. */
  public Datatype any() {
    return switch (draw.below(12)) {
      case 0, 1, 2, 3 -> number();
      case 4, 5 -> plain();
      case 6, 7 -> nested(0);
      case 8, 9 -> variable();
      case 10 -> reference();
      default -> rare();
    };
  }

  /** An integer or float that uses all its bits, as every program knows them. */
  public Datatype number() {
    return draw.chance(0.6)
        ? integer()
        : draw.pick(List.of(Datatype.F16, Datatype.F32, Datatype.F64, Datatype.F64))
            .withOrder(order());
  }

  /** An integer that uses all its bits. */
  public FixedPoint integer() {
    return FixedPoint.of(draw.pick(List.of(1, 2, 4, 8)), signedness(), order());
  }

  /** An integer with bits to spare. */
  public FixedPoint narrow() {
    int size = draw.pick(List.of(1, 2, 4, 8));
    // HDF5 takes a number of which less than half is used for damaged, since 1.14.
    int precision = draw.between(4 * size, 8 * size);
    int offset = draw.between(0, 8 * size - precision);
    // One byte in the other order is not sign-extended by HDF5.
    Endian order = size == 1 ? Endian.LITTLE : order();
    return new FixedPoint(size, order, signedness(), offset, precision);
  }

  /** A type of fixed size without parts. */
  public Datatype plain() {
    return draw.chance(0.15) ? narrow() : common();
  }

  private Datatype common() {
    return switch (draw.below(5)) {
      case 0 -> string();
      case 1 -> enumeration();
      case 2 -> truth();
      default -> number();
    };
  }

  private Datatype rare() {
    return switch (draw.below(6)) {
      case 0 -> {
        int size = draw.between(1, 4);
        int precision = draw.between(4 * size, 8 * size);
        int offset = draw.between(0, 8 * size - precision);
        yield new BitField(size, order(), offset, precision, BitPadding.ZEROS);
      }
      case 1 -> new Opaque(draw.between(1, 20), draw.chance(0.5) ? "" : "tag of it");
      case 2 -> new Time(4, order(), 32);
      case 3 -> form.hasComplex() ? new ComplexType(complexPart()) : floating();
      case 4 -> floating();
      default -> BitField.of(draw.pick(List.of(1, 2, 4, 8)), order());
    };
  }

  private FloatingPoint complexPart() {
    return draw.pick(List.of(Datatype.F32, Datatype.F64)).withOrder(order());
  }

  /** A float of no common format. */
  private FloatingPoint floating() {
    return switch (draw.below(5)) {
      case 0 -> FloatingPoint.ieee(2, 7, 8, order());
      case 1 -> FloatingPoint.ieee(4, 16, 7, order());
      case 2 -> FloatingPoint.ieee(8, 40, 10, order());
      case 3 -> FloatingPoint.ieee(3, 15, 8, order());
      default -> FloatingPoint.ieee(4, 25, 6, order());
    };
  }

  /** Text of one size. */
  public StringType string() {
    return new StringType(
        draw.between(1, 24),
        draw.pick(List.of(StringPadding.values())),
        draw.pick(List.of(CharacterSet.values())));
  }

  /** Names for integers. */
  public Enumeration enumeration() {
    FixedPoint base = integer();
    List<Enumeration.Member> members = new ArrayList<>();
    int count = draw.between(1, 9);
    for (int i = 0; i < count; i++) {
      members.add(new Enumeration.Member("name" + i, i * 7L + (i % 2)));
    }
    return new Enumeration(base, members);
  }

  /** What h5py takes for truth values. */
  public static Enumeration truth() {
    return new Enumeration(
        Datatype.I8,
        List.of(new Enumeration.Member("FALSE", 0), new Enumeration.Member("TRUE", 1)));
  }

  /** Compounds and arrays, in each other. */
  public Datatype nested(int depth) {
    int kind = depth > 2 ? 9 : draw.below(9);
    if (kind < 4 || depth == 0 && kind < 6) {
      return compound(depth);
    }
    if (kind < 6 || depth == 0) {
      return new ArrayType(dimensions(), draw.chance(0.7) ? plain() : compound(depth + 1));
    }
    // NumPy bends sequences that are members, so only text is one here.
    return draw.chance(0.85) ? plain() : text();
  }

  private List<Integer> dimensions() {
    List<Integer> dimensions = new ArrayList<>();
    int rank = draw.between(1, 3);
    for (int i = 0; i < rank; i++) {
      dimensions.add(draw.between(1, 3));
    }
    return dimensions;
  }

  private Compound compound(int depth) {
    if (depth > 3) {
      return new Compound(4, List.of(new Compound.Member("m", 0, Datatype.I32)));
    }
    List<Compound.Member> members = new ArrayList<>();
    int count = draw.between(1, 5);
    boolean gaps = draw.chance(0.3);
    int at = 0;
    for (int i = 0; i < count; i++) {
      at += gaps ? draw.below(5) : 0;
      Datatype type = nested(depth + 1);
      members.add(new Compound.Member(draw.chance(0.8) ? "m" + i : "größe " + i, at, type));
      at += type.size();
    }
    return new Compound(at + (gaps ? draw.below(4) : 0), members);
  }

  /** Text or sequences of any length. */
  public VariableLength variable() {
    return switch (draw.below(6)) {
      case 0, 1, 2 -> text();
      // h5py does not swap the bytes of sequences, so they have none to swap.
      case 3 ->
          VariableLength.sequence(
              FixedPoint.of(draw.pick(List.of(1, 2, 4, 8)), signedness(), Endian.LITTLE));
      case 4 -> VariableLength.sequence(draw.chance(0.5) ? Datatype.F64 : Datatype.F32);
      default ->
          VariableLength.sequence(
              VariableLength.sequence(draw.chance(0.5) ? Datatype.I32 : Datatype.U8));
    };
  }

  /** Text of any length. */
  public VariableLength text() {
    return new VariableLength(
        VariableLength.FILE_SIZE,
        VariableLength.Kind.STRING,
        Datatype.U8,
        draw.pick(List.of(StringPadding.values())),
        draw.pick(List.of(CharacterSet.values())));
  }

  private Reference reference() {
    return draw.chance(0.6)
        ? new Reference(8, Reference.Kind.OBJECT)
        : new Reference(12, Reference.Kind.REGION);
  }

  private Endian order() {
    return draw.pick(ORDERS);
  }

  private Signedness signedness() {
    return draw.chance(0.5) ? Signedness.SIGNED : Signedness.UNSIGNED;
  }
}
