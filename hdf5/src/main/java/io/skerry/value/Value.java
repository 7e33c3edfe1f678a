package io.skerry.value;

import io.skerry.chunk.text.PrintableText;
import io.skerry.format.Bytes;
import io.skerry.selection.Selection;
import java.math.BigInteger;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * An element of a dataset or attribute, or a part of such an element. Immutable; values with equal
 * content are equal. There is one record for each kind of value; {@code toString} returns the text
 * that {@code skerry dump} prints. All methods are local and thread-safe, and do not fail unless
 * their documentation states otherwise; constructors throw {@link NullPointerException} if an
 * argument or an element of a list is null. A write checks whether a value fits the datatype.
 */
public sealed interface Value {
  /**
   * An integer of any width.
   *
   * @param value the integer
   */
  record Whole(BigInteger value) implements Value {
    /** Creates an integer. Local, thread-safe; does not fail. */
    public Whole {
      Objects.requireNonNull(value);
    }

    /**
     * Returns the value as a long. Local, thread-safe.
     *
     * @return the value
     * @throws ArithmeticException if the value does not fit in a long
     */
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
   * @param value the double nearest to the stored number
   * @param precision the number of bits of the significand in the file, for example 24 for binary32
   */
  record Real(double value, int precision) implements Value {
    @Override
    public String toString() {
      boolean single = precision <= 24 && fitsFloat();
      return single ? Float.toString((float) value) : Double.toString(value);
    }

    /**
     * Returns false if the value is finite and not zero, but would be infinite or zero as a float.
     */
    private boolean fitsFloat() {
      float near = (float) value;
      return Float.isInfinite(near) == Double.isInfinite(value) && (near == 0) == (value == 0);
    }
  }

  /**
   * A complex number.
   *
   * @param real the real part
   * @param imaginary the imaginary part
   */
  record Complex(Real real, Real imaginary) implements Value {
    /** Creates a complex number. Local, thread-safe; does not fail. */
    public Complex {
      Objects.requireNonNull(real);
      Objects.requireNonNull(imaginary);
    }

    @Override
    public String toString() {
      String sign = imaginary.toString().startsWith("-") ? "" : "+";
      return real + sign + imaginary + "i";
    }
  }

  /**
   * Text of fixed or variable length.
   *
   * @param value the text without its padding
   */
  record Text(String value) implements Value {
    /** Creates a text. Local, thread-safe; does not fail. */
    public Text {
      Objects.requireNonNull(value);
    }

    @Override
    public String toString() {
      return PrintableText.quoted(value);
    }
  }

  /**
   * A bit field.
   *
   * @param value the bits as an unsigned integer
   * @param size the size of the element in bytes
   */
  record Bits(BigInteger value, int size) implements Value {
    /** Creates a bit field. Local, thread-safe; does not fail. */
    public Bits {
      Objects.requireNonNull(value);
    }

    @Override
    public String toString() {
      String digits = value.toString(16);
      return "0x" + "0".repeat(Math.max(0, 2 * size - digits.length())) + digits;
    }
  }

  /**
   * A time. The file does not specify its unit.
   *
   * @param value the time as an integer
   */
  record Time(BigInteger value) implements Value {
    /** Creates a time. Local, thread-safe; does not fail. */
    public Time {
      Objects.requireNonNull(value);
    }

    @Override
    public String toString() {
      return value.toString();
    }
  }

  /**
   * Bytes whose meaning is given only by a tag.
   *
   * @param bytes the bytes of the element
   * @param tag a description of the content, possibly empty
   */
  record Opaque(Bytes bytes, String tag) implements Value {
    /** Creates an opaque value. Local, thread-safe; does not fail. */
    public Opaque {
      Objects.requireNonNull(bytes);
      Objects.requireNonNull(tag);
    }

    @Override
    public String toString() {
      return "0x" + bytes;
    }
  }

  /**
   * A value of an enumeration.
   *
   * @param value the integer; for an unsigned 64-bit type, its bits
   * @param name the name of the member with this value; empty if there is none
   */
  record Enumerated(long value, Optional<String> name) implements Value {
    /** Creates a value of an enumeration. Local, thread-safe; does not fail. */
    public Enumerated {
      Objects.requireNonNull(name);
    }

    @Override
    public String toString() {
      return name.map(PrintableText::text).orElseGet(() -> Long.toString(value));
    }
  }

  /**
   * One member of a compound.
   *
   * @param name the name of the member
   * @param value the value of the member
   */
  record Field(String name, Value value) {
    /** Creates a member. Local, thread-safe; does not fail. */
    public Field {
      Objects.requireNonNull(name);
      Objects.requireNonNull(value);
    }
  }

  /**
   * A compound: named values, in stored order.
   *
   * @param fields the members, in stored order
   */
  record Compound(List<Field> fields) implements Value {
    /** Creates a compound with a copy of the list. Local, thread-safe; does not fail. */
    public Compound {
      fields = List.copyOf(fields);
    }

    /**
     * Returns the value of the first member with the given name. Local, thread-safe; does not fail.
     *
     * @param name the name of the member
     * @return the value; empty if there is no such member
     */
    public Optional<Value> field(String name) {
      Objects.requireNonNull(name);
      return fields.stream().filter(f -> f.name.equals(name)).map(Field::value).findFirst();
    }

    @Override
    public String toString() {
      return ValueText.joined(
          fields.stream().map(f -> PrintableText.text(f.name) + ": " + f.value).toList(), "{", "}");
    }
  }

  /**
   * An array within one element.
   *
   * @param dimensions the sizes of the dimensions in elements, slowest first, each at least 1
   * @param elements the elements of the array, row-major; their number is the product of the sizes
   */
  record Array(List<Integer> dimensions, List<Value> elements) implements Value {
    /**
     * Creates an array. Local, thread-safe.
     *
     * @throws IllegalArgumentException if there are no dimensions, a size is below 1, or the number
     *     of elements is not the product of the sizes
     */
    public Array {
      dimensions = List.copyOf(dimensions);
      elements = List.copyOf(elements);
      long product = dimensions.isEmpty() ? -1 : 1;
      for (int size : dimensions) {
        // The clamped product exceeds the size of every list, so it never matches.
        product = size < 1 ? -1 : Math.clamp(product * size, -1, Integer.MAX_VALUE + 1L);
      }
      if (product != elements.size()) {
        throw new IllegalArgumentException(
            "elements of an array value: dimensions="
                + dimensions
                + " elements="
                + elements.size());
      }
    }

    @Override
    public String toString() {
      return ValueText.nested(dimensions, elements);
    }
  }

  /**
   * A sequence of variable length.
   *
   * @param elements the elements of the sequence, in stored order
   */
  record Sequence(List<Value> elements) implements Value {
    /** Creates a sequence with a copy of the list. Local, thread-safe; does not fail. */
    public Sequence {
      elements = List.copyOf(elements);
    }

    @Override
    public String toString() {
      return ValueText.joined(elements.stream().map(Value::toString).toList(), "(", ")");
    }
  }

  /** A null reference. */
  record NullReference() implements Value {
    @Override
    public String toString() {
      return "null";
    }
  }

  /**
   * A reference to an object.
   *
   * @param target the object
   */
  record ObjectReference(Target target) implements Value {
    /** Creates a reference. Local, thread-safe; does not fail. */
    public ObjectReference {
      Objects.requireNonNull(target);
    }

    @Override
    public String toString() {
      return target.toString();
    }
  }

  /**
   * A reference to selected elements of a dataset.
   *
   * @param target the dataset
   * @param region the selection
   */
  record RegionReference(Target target, Selection region) implements Value {
    /** Creates a reference. Local, thread-safe; does not fail. */
    public RegionReference {
      Objects.requireNonNull(target);
      Objects.requireNonNull(region);
    }

    @Override
    public String toString() {
      return target + " " + ValueText.region(region);
    }
  }

  /**
   * A reference to an attribute.
   *
   * @param target the object that has the attribute
   * @param name the name of the attribute
   */
  record AttributeReference(Target target, String name) implements Value {
    /** Creates a reference. Local, thread-safe; does not fail. */
    public AttributeReference {
      Objects.requireNonNull(target);
      Objects.requireNonNull(name);
    }

    @Override
    public String toString() {
      return target + "@" + PrintableText.text(name);
    }
  }

  /**
   * The object to which a reference refers.
   *
   * @param file the file that contains the object; empty if it is the file from which the reference
   *     was read. A reference that is read through a virtual dataset refers to an object in the
   *     file of the source
   * @param path the path of the object; empty if no path leads to it, or if the reference itself
   *     names another file
   * @param address the address of the object header, in bytes from the base address of its file; in
   *     a container, the identifier of the object
   */
  record Target(Optional<String> file, Optional<String> path, long address) {
    /** Creates a target. Local, thread-safe; does not fail. */
    public Target {
      Objects.requireNonNull(file);
      Objects.requireNonNull(path);
    }

    @Override
    public String toString() {
      return PrintableText.text(
          file.map(f -> f + ":").orElse("")
              + path.orElseGet(() -> "0x" + Long.toHexString(address)));
    }
  }
}
