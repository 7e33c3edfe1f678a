package io.skerry;

import io.skerry.chunk.bytes.MemoryLimit;
import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.StringType;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.internal.value.PackedArrays;
import io.skerry.internal.value.ValueReader;
import io.skerry.selection.Shape;
import io.skerry.value.Contents;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * A named value that is attached to an object. Immutable, unless the caller of the constructor
 * changes the array. The constructor checks only for nulls. If there are fewer bytes than the
 * extent requires, methods that decode the elements throw {@link IllegalArgumentException} or
 * {@link IndexOutOfBoundsException}; those for strings may return fewer elements instead, and throw
 * {@link IndexOutOfBoundsException} if the bytes end within an element, before a NUL.
 *
 * @param name the name of the attribute
 * @param datatype the datatype of an element in the file
 * @param shape the extent in elements; a scalar extent without bytes represents a null dataspace
 * @param bytes the elements in that datatype, row-major
 */
public record Attribute(String name, Datatype datatype, Shape shape, byte[] bytes) {
  /** The maximum number of element bytes that a description lists individually. */
  private static final int DESCRIBED_BYTES = 1 << 16;

  /** Creates an attribute; only the methods of this class check the number of bytes. */
  public Attribute {
    Objects.requireNonNull(name);
    Objects.requireNonNull(datatype);
    Objects.requireNonNull(shape);
    Objects.requireNonNull(bytes);
  }

  /**
   * Creates an attribute with a UTF-8 string of fixed size. Local, thread-safe; does not fail.
   *
   * @param name the name
   * @param text the string; an empty string is stored as one NUL byte
   * @return a scalar attribute
   */
  public static Attribute of(String name, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    // A string type has at least one byte, so the empty string is stored as one NUL.
    byte[] stored = Arrays.copyOf(utf8, Math.max(1, utf8.length));
    return new Attribute(name, StringType.of(stored.length), Shape.scalar(), stored);
  }

  /**
   * Creates a scalar attribute with an integer value, stored as i64. Local, thread-safe; does not
   * fail.
   *
   * @param name the name of the attribute
   * @param value the value of the attribute
   * @return a scalar attribute
   */
  public static Attribute of(String name, long value) {
    return new Attribute(
        name, Datatype.I64, Shape.scalar(), PackedArrays.of(Datatype.I64, new long[] {value}));
  }

  /**
   * Creates a scalar attribute with a floating-point value, stored as f64. Local, thread-safe; does
   * not fail.
   *
   * @param name the name
   * @param value the number
   * @return a scalar attribute
   */
  public static Attribute of(String name, double value) {
    return new Attribute(
        name, Datatype.F64, Shape.scalar(), PackedArrays.of(Datatype.F64, new double[] {value}));
  }

  /**
   * Creates an attribute with an array of integers, stored as i64. Local, thread-safe.
   *
   * @param name the name
   * @param values the integers; they are copied
   * @return a one-dimensional attribute, whose extent is 0 if the array is empty
   * @throws UnsupportedFeatureException if the integers occupy more than 2^31 - 9 bytes
   */
  public static Attribute of(String name, long[] values) {
    return new Attribute(
        name, Datatype.I64, Shape.of(values.length), PackedArrays.of(Datatype.I64, values));
  }

  /**
   * Creates an attribute with an array of floating-point numbers, stored as f64. Local,
   * thread-safe.
   *
   * @param name the name
   * @param values the numbers; they are copied
   * @return a one-dimensional attribute, whose extent is 0 if the array is empty
   * @throws UnsupportedFeatureException if the numbers occupy more than 2^31 - 9 bytes
   */
  public static Attribute of(String name, double[] values) {
    return new Attribute(
        name, Datatype.F64, Shape.of(values.length), PackedArrays.of(Datatype.F64, values));
  }

  /**
   * Creates an attribute that has a null dataspace and therefore no elements. Local, thread-safe;
   * does not fail.
   *
   * @param name the name
   * @param datatype the datatype
   * @return the attribute
   */
  public static Attribute empty(String name, Datatype datatype) {
    return new Attribute(name, datatype, Shape.scalar(), new byte[0]);
  }

  /**
   * Creates an attribute of any datatype. Local, thread-safe.
   *
   * @param name the name
   * @param datatype the datatype of an element in the file
   * @param shape the extent
   * @param stored the elements in that datatype, row-major; the array is copied
   * @return the attribute
   * @throws IllegalArgumentException if the length of the array differs from the number of bytes of
   *     all elements
   * @throws ArithmeticException if there are more than 2^63 - 1 elements or bytes of elements
   */
  public static Attribute of(String name, Datatype datatype, Shape shape, byte[] stored) {
    long expected = Math.multiplyExact(shape.elements(), datatype.size());
    if (stored.length != expected) {
      throw new IllegalArgumentException(
          "attribute data of another size: name="
              + name
              + " expectedBytes="
              + expected
              + " actualBytes="
              + stored.length);
    }
    return new Attribute(name, datatype, shape, stored.clone());
  }

  /**
   * Returns whether the dataspace is null, like {@link #isNull}. Local, thread-safe; does not fail.
   *
   * @return true if the dataspace is null; false for an attribute with a dimension of size 0, which
   *     has no elements either
   */
  public boolean hasNoElements() {
    return shape.rank() == 0 && bytes.length == 0;
  }

  /**
   * Returns the elements in the file datatype. Local, thread-safe; does not fail.
   *
   * @return a copy of the bytes of the elements, row-major; empty if there are no elements
   */
  @Override
  public byte[] bytes() {
    return bytes.clone();
  }

  /**
   * Returns whether the dataspace is null. Local, thread-safe; does not fail.
   *
   * @return true if the dataspace is null; false for an attribute with a dimension of size 0
   */
  public boolean isNull() {
    return shape.rank() == 0 && bytes.length == 0;
  }

  /**
   * Decodes the elements as values. Local, thread-safe.
   *
   * @param contents access to the file from which the attribute was read; see {@link
   *     H5File#contents}
   * @return one value for each element, row-major; empty if there are no elements
   * @throws io.skerry.exception.FormatException if a variable-length value or a reference is
   *     damaged
   * @throws io.skerry.exception.MemoryLimitException if the values need more memory than one
   *     request may use
   * @throws io.skerry.mpi.MpiException if the file cannot be read
   * @throws io.skerry.exception.UnsupportedFeatureException if an element uses a feature that
   *     Skerry does not support
   * @throws IllegalArgumentException if {@code contents} is not an object that Skerry returned, or
   *     the extent has more than 2^63 - 1 elements
   * @throws IllegalStateException if the file is closed and an element refers to a variable-length
   *     value or an object in it
   */
  public List<Value> values(Contents contents) {
    shape.requireCountable();
    return new ValueReader(contents).readAll(datatype, segment(), isNull() ? 0 : shape.elements());
  }

  /**
   * Decodes the elements as integers. Local, thread-safe.
   *
   * @return one integer for each element, row-major, clipped to the range of 64-bit integers; empty
   *     if there are no elements
   * @throws UnsupportedFeatureException if the datatype cannot be converted to integers, for
   *     example a string
   * @throws IllegalArgumentException if there are fewer bytes than the extent requires, or the
   *     extent has more than 2^63 - 1 elements
   * @throws io.skerry.exception.MemoryLimitException if the integers do not fit into the heap
   */
  public long[] longs() {
    int count = countable();
    long[] values =
        MemoryLimit.make(count, Long.BYTES, () -> "attribute " + name, () -> new long[count]);
    Conversion.between(datatype, PackedArrays.nativeOrder(Datatype.I64), "attribute " + name)
        .convert(MemorySegment.ofArray(bytes), MemorySegment.ofArray(values), values.length);
    return values;
  }

  /**
   * Decodes the elements as floating-point numbers. Local, thread-safe.
   *
   * @return one number for each element, row-major; empty if there are no elements
   * @throws UnsupportedFeatureException if the datatype cannot be converted to floating-point
   *     numbers, for example a string
   * @throws IllegalArgumentException if there are fewer bytes than the extent requires, or the
   *     extent has more than 2^63 - 1 elements
   * @throws io.skerry.exception.MemoryLimitException if the numbers do not fit into the heap
   */
  public double[] doubles() {
    int count = countable();
    double[] values =
        MemoryLimit.make(count, Double.BYTES, () -> "attribute " + name, () -> new double[count]);
    Conversion.between(datatype, PackedArrays.nativeOrder(Datatype.F64), "attribute " + name)
        .convert(MemorySegment.ofArray(bytes), MemorySegment.ofArray(values), values.length);
    return values;
  }

  /** Returns the number of elements; checks that there are bytes for each of them. */
  private int countable() {
    shape.requireCountable();
    long count = isNull() ? 0 : shape.elements();
    if (count > bytes.length / datatype.size()) {
      throw new IllegalArgumentException(
          "attribute data of another size: name="
              + name
              + " elements="
              + count
              + " bytesPerElement="
              + datatype.size()
              + " actualBytes="
              + bytes.length);
    }
    return (int) count;
  }

  /**
   * Decodes the elements as fixed-length UTF-8 strings. Local, thread-safe.
   *
   * @return one string for each element, row-major, up to the first NUL; empty if there are no
   *     elements
   * @throws UnsupportedFeatureException if the datatype is not a string of fixed length
   * @throws IndexOutOfBoundsException if the bytes end within an element, before a NUL
   */
  public List<String> texts() {
    if (!(datatype instanceof StringType string)) {
      throw new UnsupportedFeatureException("text of type " + datatype, "attribute " + name);
    }
    List<String> texts = new ArrayList<>();
    for (int at = 0; at < bytes.length; at += string.size()) {
      int end = at;
      while (end < at + string.size() && bytes[end] != 0) {
        end++;
      }
      texts.add(new String(bytes, at, end - at, StandardCharsets.UTF_8));
    }
    return texts;
  }

  /**
   * Decodes the string of a scalar attribute. Local, thread-safe.
   *
   * @return the first string, up to the first NUL; the empty string if there are no elements
   * @throws UnsupportedFeatureException if the datatype is not a string of fixed length
   * @throws IndexOutOfBoundsException if the bytes end within an element, before a NUL
   */
  public String text() {
    List<String> texts = texts();
    return texts.isEmpty() ? "" : texts.getFirst();
  }

  /**
   * Returns the elements in the file datatype, without a copy. Local, thread-safe; does not fail.
   *
   * @return the bytes of the elements, row-major; read-only
   */
  public MemorySegment segment() {
    return MemorySegment.ofArray(bytes).asReadOnly();
  }

  /**
   * Creates an attribute of any datatype. The number of bytes is not checked. Local, thread-safe.
   *
   * @param name the name
   * @param datatype the datatype of an element in the file
   * @param shape the extent
   * @param data the elements in that datatype, row-major; they are copied
   * @return the attribute
   * @throws IllegalStateException if the memory is no longer accessible, or has more than 2^31 - 9
   *     bytes
   * @throws WrongThreadException if only another thread may access the memory
   */
  public static Attribute of(String name, Datatype datatype, Shape shape, MemorySegment data) {
    return new Attribute(name, datatype, shape, data.toArray(ValueLayout.JAVA_BYTE));
  }

  /**
   * Describes the attribute completely, so that the ranks can compare their attributes. Local,
   * thread-safe; does not fail.
   *
   * @return the description, with a digest in place of the elements if they exceed 65,536 bytes;
   *     equal attributes have equal descriptions
   */
  public String describe() {
    String value = bytes.length > DESCRIBED_BYTES ? digest() : Arrays.toString(bytes);
    return name + " " + datatype + " " + shape + " " + value;
  }

  private String digest() {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return bytes.length + " bytes with SHA-256 " + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Attribute that
        && name.equals(that.name)
        && datatype.equals(that.datatype)
        && shape.equals(that.shape)
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, datatype, shape, Arrays.hashCode(bytes));
  }

  @Override
  public String toString() {
    return name + ": " + datatype + " " + shape;
  }
}
