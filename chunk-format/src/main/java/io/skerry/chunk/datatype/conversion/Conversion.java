package io.skerry.chunk.datatype.conversion;

import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import java.lang.foreign.MemorySegment;

/**
 * Converts elements of one type to elements of another, many at a time, by the rules of HDF5 2.0:
 *
 * <ul>
 *   <li>Equal types of any class are copied. The order in which members are listed does not matter.
 *   <li>Numbers may be integers or floating-point numbers of any width, byte order and bit layout.
 *       In a conversion to integers, values out of range are clipped to the nearest bound,
 *       fractions are truncated toward zero, and NaN becomes 0. In a conversion to floating point,
 *       values are rounded to the nearest, ties to even. Values beyond the greatest finite value
 *       become infinite; in types other than binary16, binary32 and binary64, this applies only to
 *       values that do not round to the greatest finite value.
 *   <li>Enumerations are converted by name. As in HDF5, all bits of the result are set if a value
 *       has no name. Skerry also sets all bits if the name does not exist in the target. In
 *       conversions from enumerations to numbers, an enumeration is treated as its base type, as in
 *       HDF5. The same applies to conversions from integers to enumerations, which HDF5 rejects.
 *   <li>Bit fields are converted by copying their lowest bits. In conversions to and from numbers,
 *       which HDF5 rejects, they are treated as unsigned integers.
 *   <li>Text of fixed size in the same character set is padded or truncated.
 *   <li>Complex numbers are converted part by part. A real number gets an imaginary part of zero;
 *       in a conversion to a real number, the imaginary part is dropped. A compound or array with
 *       the layout of a complex number is copied.
 *   <li>Compounds are converted by the names of their members, arrays of the same shape element by
 *       element. Members that exist only in the source are ignored; members that exist only in the
 *       target keep their values (see {@link #keepsBackground}).
 *   <li>Opaque values, times, references and variable-length descriptors are copied if the types
 *       are equal, and rejected otherwise.
 * </ul>
 *
 * <p>The results do not depend on the byte order. They agree with the conversions of the C library
 * between numbers in native byte order. In other byte orders, that library does not clip integers
 * of equal width, converts negative fractions to the least integer, and converts numbers just below
 * the least normal number to a wrong value. Its conversion of NaN to integers depends on the
 * processor.
 *
 * <p>Immutable and thread-safe.
 */
public final class Conversion {
  private final Datatype from;
  private final Datatype to;
  private final Converter step;

  private Conversion(Datatype from, Datatype to, Converter step) {
    this.from = from;
    this.to = to;
    this.step = step;
  }

  /**
   * Returns the conversion between two types.
   *
   * @throws UnsupportedFeatureException if the types cannot be converted
   */
  public static Conversion between(Datatype from, Datatype to) {
    return between(from, to, "a transfer");
  }

  /**
   * Returns the conversion between two types.
   *
   * @param from the type of the source elements
   * @param to the type of the target elements
   * @param where the object that contains the elements, for the error message
   * @throws UnsupportedFeatureException if the types cannot be converted; the message names both
   *     types and, if the cause is a member of a compound, that member
   */
  public static Conversion between(Datatype from, Datatype to, String where) {
    if (from.equals(to)) {
      return none(to);
    }
    return new Conversion(from, to, new ConversionSearch(from, to, where).find());
  }

  /** Returns the conversion that copies elements of a type. */
  public static Conversion none(Datatype type) {
    return new Conversion(type, type, new Converter.Copy(type.size()));
  }

  /** Returns the type of the source elements. */
  public Datatype from() {
    return from;
  }

  /** Returns the type of the target elements. */
  public Datatype to() {
    return to;
  }

  /** Returns whether the conversion only copies the bytes, in which case a caller may skip it. */
  public boolean isIdentity() {
    return step instanceof Converter.Copy;
  }

  /**
   * Returns whether some bytes of a target element keep their previous values: those in gaps and in
   * members that the source does not have.
   */
  public boolean keepsBackground() {
    return step.keepsBytes();
  }

  /** Returns the bytes of a target element that the conversion writes. */
  public ElementParts written() {
    WrittenBytes bytes = new WrittenBytes();
    step.addWrittenBytes(0, bytes);
    return new ElementParts(to.size(), bytes.ranges());
  }

  /**
   * Converts elements.
   *
   * @param in the source, with at least {@code elements} elements of the source type; must not
   *     overlap {@code out}
   * @param out the memory for the same number of elements of the target type; bytes that the
   *     conversion does not write keep their initial values
   * @param elements the number of elements
   * @throws IllegalArgumentException if a segment is too short or the number is negative
   */
  public void convert(MemorySegment in, MemorySegment out, long elements) {
    if (elements < 0
        || elements > in.byteSize() / from.size()
        || elements > out.byteSize() / to.size()) {
      throw new IllegalArgumentException(
          "segment too short: elements="
              + elements
              + " in="
              + in.byteSize()
              + " bytes of "
              + from
              + " out="
              + out.byteSize()
              + " bytes of "
              + to);
    }
    step.move(
        in.asSlice(0, elements * from.size()), out.asSlice(0, elements * to.size()), elements);
  }

  @Override
  public String toString() {
    return from + "->" + to;
  }
}
