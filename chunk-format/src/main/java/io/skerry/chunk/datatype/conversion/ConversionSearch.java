package io.skerry.chunk.datatype.conversion;

import io.skerry.datatype.ArrayType;
import io.skerry.datatype.BitField;
import io.skerry.datatype.ComplexType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Enumeration;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.Reference;
import io.skerry.datatype.StringType;
import io.skerry.datatype.Time;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.UnsupportedFeatureException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the converter from one type to another, including those for the members of compounds and
 * the elements of arrays. An instance is used once.
 */
final class ConversionSearch {
  private final Datatype from;
  private final Datatype to;
  private final String where;
  private final Deque<String> path = new ArrayDeque<>();

  /**
   * Creates a search.
   *
   * @param where the object that contains the elements, for the error message
   */
  ConversionSearch(Datatype from, Datatype to, String where) {
    this.from = from;
    this.to = to;
    this.where = where;
  }

  /**
   * Returns the converter.
   *
   * @throws UnsupportedFeatureException if the types cannot be converted
   */
  Converter find() {
    return find(from, to);
  }

  private Converter find(Datatype source, Datatype target) {
    if (sorted(source).equals(sorted(target))) {
      return new Converter.Copy(source.size());
    }
    return switch (source) {
      case FixedPoint a ->
          switch (target) {
            case FixedPoint b -> NumberConverters.of(a, b);
            case FloatingPoint b -> NumberConverters.of(a, b);
            case Enumeration b -> NumberConverters.of(a, b.base());
            case BitField b -> NumberConverters.of(a, ExactNumberConverters.unsigned(b));
            case ComplexType b -> fromReal(a, b);
            default -> throw none(source, target);
          };
      case FloatingPoint a ->
          switch (target) {
            case FixedPoint b -> NumberConverters.of(a, b);
            case FloatingPoint b -> NumberConverters.of(a, b);
            case BitField b -> NumberConverters.of(a, ExactNumberConverters.unsigned(b));
            case ComplexType b -> fromReal(a, b);
            default -> throw none(source, target);
          };
      case BitField a ->
          switch (target) {
            case FixedPoint b -> NumberConverters.of(ExactNumberConverters.unsigned(a), b);
            case FloatingPoint b -> NumberConverters.of(ExactNumberConverters.unsigned(a), b);
            case BitField b -> ExactNumberConverters.bits(a, b);
            default -> throw none(source, target);
          };
      case Enumeration a ->
          switch (target) {
            case FixedPoint b -> NumberConverters.of(a.base(), b);
            case FloatingPoint b -> NumberConverters.of(a.base(), b);
            case Enumeration b -> EnumerationConverter.of(a, b);
            default -> throw none(source, target);
          };
      case ComplexType a ->
          switch (target) {
            case ComplexType b ->
                new ArrayConverter(2, b.part().size(), NumberConverters.of(a.part(), b.part()));
            case FixedPoint b -> toReal(a, NumberConverters.of(a.part(), b), b.size());
            case FloatingPoint b -> toReal(a, NumberConverters.of(a.part(), b), b.size());
            default -> ComplexConverter.copy(a, target).orElseThrow(() -> none(source, target));
          };
      case Compound a ->
          switch (target) {
            case Compound b -> members(a, b);
            case ComplexType b ->
                ComplexConverter.copy(b, a).orElseThrow(() -> none(source, target));
            default -> throw none(source, target);
          };
      case ArrayType a ->
          switch (target) {
            case ArrayType b when a.dimensions().equals(b.dimensions()) ->
                ArrayConverter.of(b, find(a.base(), b.base()));
            case ComplexType b ->
                ComplexConverter.copy(b, a).orElseThrow(() -> none(source, target));
            default -> throw none(source, target);
          };
      case StringType a
          when target instanceof StringType b && a.characterSet() == b.characterSet() ->
          StringConverter.step(a, b);
      case StringType _, Opaque _, Time _, Reference _, VariableLength _ ->
          throw none(source, target);
    };
  }

  private static Converter fromReal(FixedPoint from, ComplexType to) {
    Converter part = NumberConverters.of(from, to.part());
    return ComplexConverter.fromReal(from.size(), part, to.part().size());
  }

  private static Converter fromReal(FloatingPoint from, ComplexType to) {
    Converter part = NumberConverters.of(from, to.part());
    return ComplexConverter.fromReal(from.size(), part, to.part().size());
  }

  private static Converter toReal(ComplexType from, Converter part, int size) {
    return ComplexConverter.toReal(from.part().size(), part, size);
  }

  /**
   * Returns a converter that matches members by name. Members that exist only in the target keep
   * their values; members that exist only in the source are ignored.
   */
  private Converter members(Compound source, Compound target) {
    Map<String, Compound.Member> named = new HashMap<>();
    source.members().forEach(member -> named.putIfAbsent(member.name(), member));
    List<CompoundConverter.Part> parts = new ArrayList<>();
    for (Compound.Member b : target.members()) {
      Compound.Member a = named.get(b.name());
      if (a != null) {
        path.addLast(b.name());
        Converter step = find(a.type(), b.type());
        path.removeLast();
        parts.add(
            new CompoundConverter.Part(
                a.offset(), a.type().size(), b.offset(), b.type().size(), step));
      }
    }
    return CompoundConverter.of(source.size(), target.size(), parts);
  }

  /**
   * Returns the type with its members sorted by name. HDF5 considers types that differ only in the
   * order of their members equal.
   */
  private static Datatype sorted(Datatype type) {
    return switch (type) {
      case Compound compound ->
          new Compound(
              compound.size(),
              compound.members().stream()
                  .map(m -> new Compound.Member(m.name(), m.offset(), sorted(m.type())))
                  .sorted(Comparator.comparing(Compound.Member::name))
                  .toList());
      case Enumeration names ->
          new Enumeration(
              names.base(),
              names.members().stream()
                  .sorted(Comparator.comparing(Enumeration.Member::name))
                  .toList());
      case ArrayType array -> new ArrayType(array.dimensions(), sorted(array.base()));
      case VariableLength t ->
          new VariableLength(t.size(), t.kind(), sorted(t.base()), t.padding(), t.characterSet());
      default -> type;
    };
  }

  private UnsupportedFeatureException none(Datatype source, Datatype target) {
    String pair = "conversion from " + from + " to " + to;
    if (!path.isEmpty()) {
      pair += ", member " + String.join(".", path) + " from " + source + " to " + target;
    } else if (!source.equals(from)) {
      pair += ", of " + source + " to " + target;
    }
    return new UnsupportedFeatureException(pair + reason(source, target), where);
  }

  /** Returns a hint for the error message, possibly empty. */
  private static String reason(Datatype source, Datatype target) {
    if (source instanceof StringType a && target instanceof StringType b) {
      return " (character sets differ: " + a.characterSet() + ", " + b.characterSet() + ")";
    }
    boolean variable = source instanceof VariableLength || target instanceof VariableLength;
    return variable ? " (content of variable length is read and written as values)" : "";
  }
}
