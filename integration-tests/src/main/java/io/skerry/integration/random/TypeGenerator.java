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

/** Generates datatypes of every class. */
public final class TypeGenerator {
  private static final List<Endian> ORDERS = List.of(Endian.LITTLE, Endian.BIG);

  private final RandomChoice draw;
  private final FileForm form;

  /**
   * Creates a generator.
   *
   * @param form the form of the file, which may not support all types
   */
  public TypeGenerator(RandomChoice draw, FileForm form) {
    this.draw = draw;
    this.form = form;
  }

  /** Returns a random type of any class. */
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

  /**
   * Returns an integer or floating-point type without padding bits, which every program supports.
   */
  public Datatype number() {
    return draw.chance(0.6)
        ? integer()
        : draw.pick(List.of(Datatype.F16, Datatype.F32, Datatype.F64, Datatype.F64))
            .withOrder(order());
  }

  /** Returns an integer type without padding bits. */
  public FixedPoint integer() {
    return FixedPoint.of(draw.pick(List.of(1, 2, 4, 8)), signedness(), order());
  }

  /** Returns an integer type that may have padding bits. */
  public FixedPoint narrow() {
    int size = draw.pick(List.of(1, 2, 4, 8));
    // Since 1.14, HDF5 treats a type that uses less than half of its bits as damaged.
    int precision = draw.between(4 * size, 8 * size);
    int offset = draw.between(0, 8 * size - precision);
    // HDF5 does not sign-extend one byte in big-endian order.
    Endian order = size == 1 ? Endian.LITTLE : order();
    return new FixedPoint(size, order, signedness(), offset, precision);
  }

  /** Returns a fixed-size type without parts. */
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

  /** Returns a floating-point type with an uncommon format. */
  private FloatingPoint floating() {
    return switch (draw.below(5)) {
      case 0 -> FloatingPoint.ieee(2, 7, 8, order());
      case 1 -> FloatingPoint.ieee(4, 16, 7, order());
      case 2 -> FloatingPoint.ieee(8, 40, 10, order());
      case 3 -> FloatingPoint.ieee(3, 15, 8, order());
      default -> FloatingPoint.ieee(4, 25, 6, order());
    };
  }

  /** Returns a type of fixed-size strings. */
  public StringType string() {
    return new StringType(
        draw.between(1, 24),
        draw.pick(List.of(StringPadding.values())),
        draw.pick(List.of(CharacterSet.values())));
  }

  /** Returns an enumeration. */
  public Enumeration enumeration() {
    FixedPoint base = integer();
    List<Enumeration.Member> members = new ArrayList<>();
    int count = draw.between(1, 9);
    for (int i = 0; i < count; i++) {
      members.add(new Enumeration.Member("name" + i, i * 7L + (i % 2)));
    }
    return new Enumeration(base, members);
  }

  /** Returns the enumeration that h5py uses for booleans. */
  public static Enumeration truth() {
    return new Enumeration(
        Datatype.I8,
        List.of(new Enumeration.Member("FALSE", 0), new Enumeration.Member("TRUE", 1)));
  }

  /**
   * Returns a compound or an array. At depths 1 and 2, the result may also be a plain type or a
   * variable-length string; at greater depths, it is always one of these two.
   */
  public Datatype nested(int depth) {
    int kind = depth > 2 ? 9 : draw.below(9);
    if (kind < 4 || depth == 0 && kind < 6) {
      return compound(depth);
    }
    if (kind < 6 || depth == 0) {
      return new ArrayType(dimensions(), draw.chance(0.7) ? plain() : compound(depth + 1));
    }
    // NumPy alters sequences in compounds, so the only variable-length members are strings.
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

  /** Returns a type of variable length: strings or sequences. */
  public VariableLength variable() {
    return switch (draw.below(6)) {
      case 0, 1, 2 -> text();
      // h5py does not swap the bytes of sequences, so all of their elements are little-endian.
      case 3 ->
          VariableLength.sequence(
              FixedPoint.of(draw.pick(List.of(1, 2, 4, 8)), signedness(), Endian.LITTLE));
      case 4 -> VariableLength.sequence(draw.chance(0.5) ? Datatype.F64 : Datatype.F32);
      default ->
          VariableLength.sequence(
              VariableLength.sequence(draw.chance(0.5) ? Datatype.I32 : Datatype.U8));
    };
  }

  /** Returns a type of variable-length strings. */
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
