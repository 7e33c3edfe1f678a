package io.skerry.integration.lifecycle;

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
import io.skerry.datatype.StringPadding;
import io.skerry.datatype.StringType;
import io.skerry.datatype.Time;
import io.skerry.datatype.VariableLength;
import io.skerry.format.Bytes;
import io.skerry.integration.random.FillBytes;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Examines and transforms datatypes and values part by part. */
final class ValueParts {
  private ValueParts() {}

  static boolean hasVariable(Datatype type) {
    return switch (type) {
      case VariableLength _ -> true;
      case ArrayType t -> hasVariable(t.base());
      case Compound t -> t.members().stream().anyMatch(m -> hasVariable(m.type()));
      default -> false;
    };
  }

  /** Returns the value whose bytes are all 0, as in unwritten elements without a fill value. */
  static Value zero(Datatype type) {
    return switch (type) {
      case FixedPoint _ -> new Value.Whole(BigInteger.ZERO);
      case FloatingPoint _ -> new Value.Real(0, 53);
      case ComplexType _ -> new Value.Complex(new Value.Real(0, 53), new Value.Real(0, 53));
      case Time _ -> new Value.Time(BigInteger.ZERO);
      // In a space-padded string, zero bytes are content.
      case StringType t ->
          new Value.Text(t.padding() == StringPadding.SPACE_PADDED ? "\0".repeat(t.size()) : "");
      case BitField t -> new Value.Bits(BigInteger.ZERO, t.size());
      case Opaque t ->
          new Value.Opaque(Bytes.of(MemorySegment.ofArray(new byte[t.size()])), t.tag());
      case Enumeration t -> new Value.Enumerated(0, t.nameOf(0));
      case Compound t ->
          new Value.Compound(
              t.members().stream().map(m -> new Value.Field(m.name(), zero(m.type()))).toList());
      case ArrayType t ->
          new Value.Array(
              t.dimensions(), Collections.nCopies(t.size() / t.base().size(), zero(t.base())));
      case VariableLength t ->
          t.kind() == VariableLength.Kind.STRING
              ? new Value.Text("")
              : new Value.Sequence(List.of());
      case Reference _ -> new Value.NullReference();
    };
  }

  /** Returns whether all bytes of a stored value are zero. */
  static boolean isZero(Datatype type, Value value) {
    return switch (type) {
      // Even an empty string has a nonzero address.
      case VariableLength _ ->
          value instanceof Value.Sequence(List<Value> elements) && elements.isEmpty();
      case Reference _ -> value instanceof Value.NullReference;
      case ArrayType t ->
          ((Value.Array) value).elements().stream().allMatch(v -> isZero(t.base(), v));
      case Compound t ->
          t.members().stream()
              .allMatch(
                  m -> isZero(m.type(), ((Value.Compound) value).field(m.name()).orElseThrow()));
      default -> {
        for (byte b : FillBytes.of(type, value)) {
          if (b != 0) {
            yield false;
          }
        }
        yield true;
      }
    };
  }

  /**
   * Returns a copy of a value in which the targets of references are replaced.
   *
   * @param paths a function that returns the new path of a target, or empty if the reference
   *     becomes null
   */
  static Value moved(Value value, Function<String, Optional<String>> paths) {
    return switch (value) {
      case Value.ObjectReference(Value.Target target) ->
          target(target, paths)
              .<Value>map(Value.ObjectReference::new)
              .orElseGet(Value.NullReference::new);
      case Value.RegionReference(Value.Target target, var region) ->
          target(target, paths)
              .<Value>map(there -> new Value.RegionReference(there, region))
              .orElseGet(Value.NullReference::new);
      case Value.Compound(List<Value.Field> fields) ->
          new Value.Compound(
              fields.stream()
                  .map(f -> new Value.Field(f.name(), moved(f.value(), paths)))
                  .toList());
      case Value.Array(List<Integer> dimensions, List<Value> elements) ->
          new Value.Array(dimensions, elements.stream().map(v -> moved(v, paths)).toList());
      case Value.Sequence(List<Value> elements) ->
          new Value.Sequence(elements.stream().map(v -> moved(v, paths)).toList());
      default -> value;
    };
  }

  private static Optional<Value.Target> target(
      Value.Target target, Function<String, Optional<String>> paths) {
    return paths
        .apply(target.path().orElseThrow())
        .map(path -> new Value.Target(Optional.empty(), Optional.of(path), -1));
  }
}
