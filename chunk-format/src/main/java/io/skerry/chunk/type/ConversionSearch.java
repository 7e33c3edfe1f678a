package io.skerry.chunk.type;

import io.skerry.chunk.UnsupportedFeatureException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the step from one type to another, and for members of compounds and arrays theirs. Used
 * once.
 */
final class ConversionSearch {
  private final Datatype from;
  private final Datatype to;
  private final String where;
  private final Deque<String> path = new ArrayDeque<>();

  /**
   * @param where who asks, for the error
   */
  ConversionSearch(Datatype from, Datatype to, String where) {
    this.from = from;
    this.to = to;
    this.where = where;
  }

  /**
   * The step.
   *
   * @throws UnsupportedFeatureException if there is none
   */
  Step find() {
    return find(from, to);
  }

  private Step find(Datatype source, Datatype target) {
    if (sorted(source).equals(sorted(target))) {
      return new Step.Copy(source.size());
    }
    return switch (source) {
      case FixedPoint a ->
          switch (target) {
            case FixedPoint b -> NumberSteps.of(a, b);
            case FloatingPoint b -> NumberSteps.of(a, b);
            case Enumeration b -> NumberSteps.of(a, b.base());
            case BitField b -> NumberSteps.of(a, ExactNumbers.unsigned(b));
            case ComplexType b -> fromReal(a, b);
            default -> throw none(source, target);
          };
      case FloatingPoint a ->
          switch (target) {
            case FixedPoint b -> NumberSteps.of(a, b);
            case FloatingPoint b -> NumberSteps.of(a, b);
            case BitField b -> NumberSteps.of(a, ExactNumbers.unsigned(b));
            case ComplexType b -> fromReal(a, b);
            default -> throw none(source, target);
          };
      case BitField a ->
          switch (target) {
            case FixedPoint b -> NumberSteps.of(ExactNumbers.unsigned(a), b);
            case FloatingPoint b -> NumberSteps.of(ExactNumbers.unsigned(a), b);
            case BitField b -> ExactNumbers.bits(a, b);
            default -> throw none(source, target);
          };
      case Enumeration a ->
          switch (target) {
            case FixedPoint b -> NumberSteps.of(a.base(), b);
            case FloatingPoint b -> NumberSteps.of(a.base(), b);
            case Enumeration b -> EnumerationStep.of(a, b);
            default -> throw none(source, target);
          };
      case ComplexType a ->
          switch (target) {
            case ComplexType b ->
                new ArrayStep(2, b.part().size(), NumberSteps.of(a.part(), b.part()));
            case FixedPoint b -> toReal(a, NumberSteps.of(a.part(), b), b.size());
            case FloatingPoint b -> toReal(a, NumberSteps.of(a.part(), b), b.size());
            default -> ComplexStep.copy(a, target).orElseThrow(() -> none(source, target));
          };
      case Compound a ->
          switch (target) {
            case Compound b -> members(a, b);
            case ComplexType b -> ComplexStep.copy(b, a).orElseThrow(() -> none(source, target));
            default -> throw none(source, target);
          };
      case ArrayType a ->
          switch (target) {
            case ArrayType b when a.dimensions().equals(b.dimensions()) ->
                ArrayStep.of(b, find(a.base(), b.base()));
            case ComplexType b -> ComplexStep.copy(b, a).orElseThrow(() -> none(source, target));
            default -> throw none(source, target);
          };
      case StringType a
          when target instanceof StringType b && a.characterSet() == b.characterSet() ->
          Texts.step(a, b);
      case StringType _, Opaque _, Time _, Reference _, VariableLength _ ->
          throw none(source, target);
    };
  }

  private static Step fromReal(FixedPoint from, ComplexType to) {
    Step part = NumberSteps.of(from, to.part());
    return ComplexStep.fromReal(from.size(), part, to.part().size());
  }

  private static Step fromReal(FloatingPoint from, ComplexType to) {
    Step part = NumberSteps.of(from, to.part());
    return ComplexStep.fromReal(from.size(), part, to.part().size());
  }

  private static Step toReal(ComplexType from, Step part, int size) {
    return ComplexStep.toReal(from.part().size(), part, size);
  }

  /** Members of one name are converted; others stay, or are left out. */
  private Step members(Compound source, Compound target) {
    Map<String, Compound.Member> named = new HashMap<>();
    source.members().forEach(member -> named.putIfAbsent(member.name(), member));
    List<CompoundStep.Part> parts = new ArrayList<>();
    for (Compound.Member b : target.members()) {
      Compound.Member a = named.get(b.name());
      if (a != null) {
        path.addLast(b.name());
        Step step = find(a.type(), b.type());
        path.removeLast();
        parts.add(
            new CompoundStep.Part(a.offset(), a.type().size(), b.offset(), b.type().size(), step));
      }
    }
    return CompoundStep.of(source.size(), target.size(), parts);
  }

  /** Types that differ in the order of their members only are the same to HDF5. */
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

  /** What else can be done about it. */
  private static String reason(Datatype source, Datatype target) {
    if (source instanceof StringType a && target instanceof StringType b) {
      return " (character sets differ: " + a.characterSet() + ", " + b.characterSet() + ")";
    }
    boolean variable = source instanceof VariableLength || target instanceof VariableLength;
    return variable ? " (content of variable length is read and written as values)" : "";
  }
}
