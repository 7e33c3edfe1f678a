package io.skerry;

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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A named value of an object. Immutable.
 *
 * @param name the name, unique within the object
 * @param datatype the datatype of an element in the file
 * @param shape the extent; scalar for a single value
 * @param bytes the elements in the datatype of the file, row-major
 */
public record Attribute(String name, Datatype datatype, Shape shape, byte[] bytes) {

  /** Makes an attribute with a string in UTF-8, of fixed size. */
  public static Attribute of(String name, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    // A string type has at least one byte, so the empty text is one NUL.
    byte[] stored = Arrays.copyOf(utf8, Math.max(1, utf8.length));
    return new Attribute(name, StringType.of(stored.length), Shape.scalar(), stored);
  }

  /** Makes an attribute with an integer, stored as i64. */
  public static Attribute of(String name, long value) {
    return new Attribute(
        name, Datatype.I64, Shape.scalar(), PackedArrays.of(Datatype.I64, new long[] {value}));
  }

  /** Makes an attribute with a number, stored as f64. */
  public static Attribute of(String name, double value) {
    return new Attribute(
        name, Datatype.F64, Shape.scalar(), PackedArrays.of(Datatype.F64, new double[] {value}));
  }

  /** Makes an attribute with an array of integers, stored as i64. */
  public static Attribute of(String name, long[] values) {
    return new Attribute(
        name, Datatype.I64, Shape.of(values.length), PackedArrays.of(Datatype.I64, values));
  }

  /** Makes an attribute with an array of numbers, stored as f64. */
  public static Attribute of(String name, double[] values) {
    return new Attribute(
        name, Datatype.F64, Shape.of(values.length), PackedArrays.of(Datatype.F64, values));
  }

  /** Makes an attribute without elements: with a null dataspace. */
  public static Attribute empty(String name, Datatype datatype) {
    return new Attribute(name, datatype, Shape.scalar(), new byte[0]);
  }

  /**
   * Makes an attribute of any datatype.
   *
   * @param stored the elements in that datatype, row-major
   * @throws IllegalArgumentException if their number of bytes is not that of the shape
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

  /** Returns whether the attribute has no elements. */
  public boolean hasNoElements() {
    return shape.rank() == 0 && bytes.length == 0;
  }

  @Override
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Returns whether the dataspace is null. */
  public boolean isNull() {
    return shape.rank() == 0 && bytes.length == 0;
  }

  /**
   * The elements as values, row-major.
   *
   * @param contents the contents of the file that the attribute was read from
   * @throws io.skerry.exception.FormatException if an element refers to damaged contents
   */
  public List<Value> values(Contents contents) {
    return new ValueReader(contents).readAll(datatype, segment(), isNull() ? 0 : shape.elements());
  }

  /**
   * The elements as integers, row-major; none if the dataspace is null.
   *
   * @throws UnsupportedFeatureException if the datatype is no number
   */
  public long[] longs() {
    long[] values = new long[isNull() ? 0 : Math.toIntExact(shape.elements())];
    Conversion.between(datatype, PackedArrays.nativeOrder(Datatype.I64), "attribute " + name)
        .convert(MemorySegment.ofArray(bytes), MemorySegment.ofArray(values), values.length);
    return values;
  }

  /**
   * The elements as numbers, row-major; none if the dataspace is null.
   *
   * @throws UnsupportedFeatureException if the datatype is no number
   */
  public double[] doubles() {
    double[] values = new double[isNull() ? 0 : Math.toIntExact(shape.elements())];
    Conversion.between(datatype, PackedArrays.nativeOrder(Datatype.F64), "attribute " + name)
        .convert(MemorySegment.ofArray(bytes), MemorySegment.ofArray(values), values.length);
    return values;
  }

  /**
   * The elements as strings, row-major, without padding.
   *
   * @throws UnsupportedFeatureException if the datatype is no string of fixed size
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
   * The string of a scalar attribute; empty if the dataspace is null.
   *
   * @throws UnsupportedFeatureException if the datatype is no string of fixed size
   */
  public String text() {
    List<String> texts = texts();
    return texts.isEmpty() ? "" : texts.getFirst();
  }

  /** The elements in the datatype of the file, row-major; read-only. */
  public MemorySegment segment() {
    return MemorySegment.ofArray(bytes).asReadOnly();
  }

  /**
   * Makes an attribute of any datatype.
   *
   * @param data the elements in that datatype, row-major; they are copied
   */
  public static Attribute of(String name, Datatype datatype, Shape shape, MemorySegment data) {
    return new Attribute(name, datatype, shape, data.toArray(ValueLayout.JAVA_BYTE));
  }

  /** The parts that must be equal on all ranks, as text. */
  public String describe() {
    return name + " " + datatype + " " + shape + " " + Arrays.toString(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Attribute that && describe().equals(that.describe());
  }

  @Override
  public int hashCode() {
    return describe().hashCode();
  }

  @Override
  public String toString() {
    return name + ": " + datatype + " " + shape;
  }
}
