package io.skerry.value;

import io.skerry.chunk.text.PrintableText;
import io.skerry.format.Bytes;
import io.skerry.selection.Selection;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * One element of a dataset or attribute, or a part of one. Immutable, equal by content. One record
 * per kind of value; {@code toString} is what {@code skerry dump} prints.
 */
public sealed interface Value {
  /** An integer of any width. */
  record Whole(BigInteger value) implements Value {
    /** The value as a long. */
    public long longValue() {
      return value.longValueExact();
    }

    @Override
    public String toString() {
      return value.toString();
    }
  }

  /**
   * A floating-point number.
   *
   * @param value the nearest double
   * @param precision bits of its significand in the file, 24 for binary32
   */
  record Real(double value, int precision) implements Value {
    @Override
    public String toString() {
      return precision <= 24 ? Float.toString((float) value) : Double.toString(value);
    }
  }

  /** A complex number. */
  record Complex(Real real, Real imaginary) implements Value {
    @Override
    public String toString() {
      String sign = imaginary.toString().startsWith("-") ? "" : "+";
      return real + sign + imaginary + "i";
    }
  }

  /** Text, fixed or variable-length, without its padding. */
  record Text(String value) implements Value {
    @Override
    public String toString() {
      return PrintableText.quoted(value);
    }
  }

  /** Bits without arithmetic, as an unsigned integer of so many bytes. */
  record Bits(BigInteger value, int size) implements Value {
    @Override
    public String toString() {
      String digits = value.toString(16);
      return "0x" + "0".repeat(Math.max(0, 2 * size - digits.length())) + digits;
    }
  }

  /** A time, whose unit the file does not tell. */
  record Time(BigInteger value) implements Value {
    @Override
    public String toString() {
      return value.toString();
    }
  }

  /** Bytes whose meaning only a tag tells. */
  record Opaque(Bytes bytes, String tag) implements Value {
    @Override
    public String toString() {
      return "0x" + bytes;
    }
  }

  /** A value of an enumeration; without a name if it is none of its members. */
  record Enumerated(long value, Optional<String> name) implements Value {
    @Override
    public String toString() {
      return name.map(PrintableText::text).orElseGet(() -> Long.toString(value));
    }
  }

  /** One member of a compound. */
  record Field(String name, Value value) {}

  /** Named values, in stored order. */
  record Compound(List<Field> fields) implements Value {
    public Compound {
      fields = List.copyOf(fields);
    }

    /** The first member of that name. */
    public Optional<Value> field(String name) {
      return fields.stream().filter(f -> f.name.equals(name)).map(Field::value).findFirst();
    }

    @Override
    public String toString() {
      return ValueText.joined(
          fields.stream().map(f -> PrintableText.text(f.name) + ": " + f.value).toList(), "{", "}");
    }
  }

  /** A small array in one element, row-major. */
  record Array(List<Integer> dimensions, List<Value> elements) implements Value {
    public Array {
      dimensions = List.copyOf(dimensions);
      elements = List.copyOf(elements);
    }

    @Override
    public String toString() {
      return ValueText.nested(dimensions, elements);
    }
  }

  /** A sequence of any length. */
  record Sequence(List<Value> elements) implements Value {
    public Sequence {
      elements = List.copyOf(elements);
    }

    @Override
    public String toString() {
      return ValueText.joined(elements.stream().map(Value::toString).toList(), "(", ")");
    }
  }

  /** A reference to nothing. */
  record NullReference() implements Value {
    @Override
    public String toString() {
      return "null";
    }
  }

  /**
   * A reference to an object.
   *
   * @param target where it is
   */
  record ObjectReference(Target target) implements Value {
    @Override
    public String toString() {
      return target.toString();
    }
  }

  /** A reference to some elements of a dataset. */
  record RegionReference(Target target, Selection region) implements Value {
    @Override
    public String toString() {
      return target + " " + ValueText.region(region);
    }
  }

  /** A reference to an attribute. */
  record AttributeReference(Target target, String name) implements Value {
    @Override
    public String toString() {
      return target + "@" + PrintableText.text(name);
    }
  }

  /**
   * The object that a reference names.
   *
   * @param file the other file, if it is not in this one
   * @param path its path; empty if no path leads to it, or it is in another file
   * @param address of its header
   */
  record Target(Optional<String> file, Optional<String> path, long address) {
    @Override
    public String toString() {
      return PrintableText.text(
          file.map(f -> f + ":").orElse("")
              + path.orElseGet(() -> "0x" + Long.toHexString(address)));
    }
  }
}
