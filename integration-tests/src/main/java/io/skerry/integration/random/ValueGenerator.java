package io.skerry.integration.random;

import io.skerry.H5File;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.BitField;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.ComplexType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
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
import io.skerry.format.Bytes;
import io.skerry.selection.Selection;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Generates values that remain unchanged when they are written and read. */
public final class ValueGenerator {
  /**
   * The default limit on the length of variable-length values, in bytes of a string or elements of
   * a sequence. Nine out of ten values have a limit of 12 instead.
   */
  private static final int LONGEST = 700;

  private final RandomChoice draw;
  private final List<RefTarget> targets;
  private final int longest;

  /**
   * A possible target of references.
   *
   * @param rows the number of elements of a one-dimensional dataset; 0 for another object
   */
  public record RefTarget(String path, int rows) {}

  /**
   * Creates a generator.
   *
   * @param targets the possible targets of references; if empty, references are null
   */
  public ValueGenerator(RandomChoice draw, List<RefTarget> targets) {
    this(draw, targets, LONGEST);
  }

  /**
   * Creates a generator with a limit on lengths.
   *
   * @param targets the possible targets of references; if empty, references are null
   * @param longest the maximum number of bytes of a variable-length string or elements of a
   *     sequence; at least 12
   */
  public ValueGenerator(RandomChoice draw, List<RefTarget> targets, int longest) {
    this.draw = draw;
    this.longest = longest;
    this.targets = List.copyOf(targets);
  }

  /** Returns the given number of values. */
  public List<Value> values(Datatype type, long count) {
    List<Value> values = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      values.add(value(type));
    }
    return values;
  }

  /** Returns a value. */
  public Value value(Datatype type) {
    return switch (type) {
      case FixedPoint t -> new Value.Whole(whole(t));
      case FloatingPoint t -> real(t);
      case ComplexType t -> new Value.Complex(real(t.part()), real(t.part()));
      case Time t -> new Value.Time(bits(t.precision() - 1));
      case StringType t -> {
        boolean ends = t.padding() == StringPadding.NULL_TERMINATED;
        yield new Value.Text(draw.text(t.size() - (ends ? 1 : 0), t.characterSet()));
      }
      case BitField t -> new Value.Bits(bits(t.precision()), t.size());
      case Opaque t -> {
        byte[] bytes = new byte[t.size()];
        draw.random().nextBytes(bytes);
        yield new Value.Opaque(Bytes.of(MemorySegment.ofArray(bytes)), t.tag());
      }
      case Enumeration t -> {
        Enumeration.Member member = draw.pick(t.members());
        yield new Value.Enumerated(member.value(), Optional.of(member.name()));
      }
      case Compound t ->
          new Value.Compound(
              t.members().stream().map(m -> new Value.Field(m.name(), value(m.type()))).toList());
      case ArrayType t ->
          new Value.Array(t.dimensions(), values(t.base(), t.size() / t.base().size()));
      case VariableLength t -> variable(t);
      case Reference t -> reference(t);
    };
  }

  private BigInteger whole(FixedPoint type) {
    boolean signed = type.signedness() == Signedness.SIGNED;
    int width = signed ? type.precision() - 1 : type.precision();
    BigInteger value = draw.chance(0.4) ? bits(Math.min(width, 5)) : bits(width);
    return signed && draw.chance(0.4) ? value.not() : value;
  }

  private BigInteger bits(int width) {
    return new BigInteger(width, draw.random());
  }

  private Value.Real real(FloatingPoint type) {
    if (!type.isIeee() || draw.chance(0.6)) {
      return new Value.Real(draw.between(-127, 127) / 8.0, 53);
    }
    double any =
        switch (draw.below(8)) {
          case 0 -> Double.POSITIVE_INFINITY;
          case 1 -> -0.0;
          case 2 -> Double.NaN;
          default -> draw.random().nextGaussian() * 100;
        };
    return new Value.Real(type.size() == 2 ? half(any) : type.size() == 4 ? (float) any : any, 53);
  }

  private static double half(double value) {
    return Float.float16ToFloat(Float.floatToFloat16((float) value));
  }

  private Value variable(VariableLength type) {
    int most = draw.chance(0.9) ? 12 : longest;
    if (type.kind() == VariableLength.Kind.STRING) {
      return new Value.Text(draw.text(most, type.characterSet()));
    }
    return new Value.Sequence(values(type.base(), draw.below(most + 1) / sizeOf(type.base())));
  }

  private static int sizeOf(Datatype base) {
    return base instanceof VariableLength ? 3 : 1;
  }

  private Value reference(Reference type) {
    List<RefTarget> fit =
        type.kind() == Reference.Kind.REGION
            ? targets.stream().filter(t -> t.rows() > 0).toList()
            : targets;
    if (fit.isEmpty() || draw.chance(0.2)) {
      return new Value.NullReference();
    }
    RefTarget to = draw.pick(fit);
    // The address is known only when the file is written; resolved() adds it.
    Value.Target target = new Value.Target(Optional.empty(), Optional.of(to.path()), -1);
    return type.kind() == Reference.Kind.REGION
        ? new Value.RegionReference(target, region(to.rows()))
        : new Value.ObjectReference(target);
  }

  private Selection region(int rows) {
    int start = draw.below(rows);
    int size = draw.between(1, rows - start);
    if (draw.chance(0.3)) {
      return Selection.points(new long[][] {{start}, {rows - 1}});
    }
    return draw.chance(0.5)
        ? Selection.at(start).extent(size)
        : Selection.at(start).stride(2).count((size + 1) / 2);
  }

  /** Returns the values, with the addresses of reference targets resolved to those in the file. */
  public static List<Value> resolved(H5File file, List<Value> values) {
    return values.stream().map(value -> resolved(file, value)).toList();
  }

  private static Value resolved(H5File file, Value value) {
    return switch (value) {
      case Value.ObjectReference(Value.Target target) ->
          file.reference(target.path().orElseThrow());
      case Value.RegionReference(Value.Target target, Selection region) ->
          file.reference(target.path().orElseThrow(), region);
      case Value.Compound(List<Value.Field> fields) ->
          new Value.Compound(
              fields.stream()
                  .map(f -> new Value.Field(f.name(), resolved(file, f.value())))
                  .toList());
      case Value.Array(List<Integer> dimensions, List<Value> elements) ->
          new Value.Array(dimensions, resolved(file, elements));
      case Value.Sequence(List<Value> elements) -> new Value.Sequence(resolved(file, elements));
      default -> value;
    };
  }

  /** Returns text for link targets. */
  public String word() {
    return draw.text(20, CharacterSet.UTF8);
  }
}
