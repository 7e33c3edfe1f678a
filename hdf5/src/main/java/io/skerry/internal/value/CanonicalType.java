package io.skerry.internal.value;

import io.skerry.chunk.text.PrintableText;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.BitField;
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
import io.skerry.datatype.StringType;
import io.skerry.datatype.Time;
import io.skerry.datatype.VariableLength;
import java.util.stream.Collectors;

/** Names the type that elements have in their {@link CanonicalForm}. */
public final class CanonicalType {
  private CanonicalType() {}

  /**
   * Returns the name of a type, such as {@code i32}, {@code f64}, {@code string[16]}, {@code
   * vlen{u8}} or {@code compound{x: i32, y: f64}}. The name contains no byte order, padding or
   * offsets. Member names and tags that contain the punctuation of type names are quoted.
   */
  public static String of(Datatype type) {
    return switch (type) {
      case FixedPoint t -> (t.signedness() == Signedness.SIGNED ? "i" : "u") + 8L * t.size();
      case FloatingPoint t -> real(t);
      case ComplexType t -> "complex{" + of(t.part()) + "}";
      case Time t -> "time" + 8L * t.size();
      case BitField t -> "bits" + 8L * t.size();
      case StringType t -> "string[" + t.size() + "]";
      case Opaque t ->
          "opaque[" + t.size() + "]" + (t.tag().isEmpty() ? "" : "(" + name(t.tag()) + ")");
      case Compound t ->
          t.members().stream()
              .map(m -> name(m.name()) + ": " + of(m.type()))
              .collect(Collectors.joining(", ", "compound{", "}"));
      case Reference t -> t.toString();
      case Enumeration t ->
          t.members().stream()
              .map(m -> name(m.name()) + "=" + m.value())
              .collect(Collectors.joining(", ", "enum:" + of(t.base()) + "{", "}"));
      case VariableLength t ->
          t.kind() == VariableLength.Kind.STRING ? "vlstring" : "vlen{" + of(t.base()) + "}";
      case ArrayType t ->
          t.dimensions().stream()
              .map(String::valueOf)
              .collect(Collectors.joining(",", "array[", "]{" + of(t.base()) + "}"));
    };
  }

  /** Returns a name, in quotes if a part of it could be mistaken for a part of the type. */
  private static String name(String name) {
    boolean doubtful = name.chars().anyMatch(c -> "{}(),:=\"\\".indexOf(c) >= 0);
    return doubtful ? PrintableText.quoted(name) : PrintableText.text(name);
  }

  private static String real(FloatingPoint type) {
    FloatingPoint canonical = NumberForm.canonical(type);
    if (canonical.equals(NumberForm.EXTENDED)) {
      return "f80";
    }
    return canonical.withOrder(Endian.LITTLE).toString();
  }
}
