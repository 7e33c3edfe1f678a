package io.skerry.chunk.datatype.conversion;

import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import java.lang.foreign.MemorySegment;

/**
 * Turns elements of one type into elements of another, many at a time, by the rules of HDF5 2.0:
 *
 * <ul>
 *   <li>Equal types of any class are copied; the order in which members are stored is no
 *       difference.
 *   <li>Numbers: integers and floating point of any width, byte order and fields. What does not fit
 *       is clipped to the nearest value that does, a fraction is cut off towards zero, NaN becomes
 *       0; floating point is rounded to the nearest value, ties to even, and what is beyond the
 *       greatest is infinite.
 *   <li>Enumerations by name; a value whose name the other does not have becomes all ones. To and
 *       from integers, and to floating point, an enumeration is its base.
 *   <li>Bit fields by their lowest bits. With numbers, which HDF5 refuses, they are unsigned.
 *   <li>StringConverter of fixed size, of one character set: padded anew, or cut.
 *   <li>Complex numbers part by part; a real number is one without imaginary part, and a complex
 *       number becomes its real part. A compound or array that is a complex number byte for byte is
 *       copied.
 *   <li>Compounds by the names of their members, arrays of one shape member by member. What only
 *       the source has is left out; what only the result has keeps what it is, see {@link
 *       #keepsBackground}.
 *   <li>Opaque values, times, references and descriptors of variable length are copied if the types
 *       are equal, and else refused.
 * </ul>
 *
 * <p>Where the C library is not of one mind, values do not depend on the byte order here: its
 * conversions of numbers in the machine's order are the rule. In another order that library
 * converts integers of one width without clipping, negative fractions to the least integer, and
 * numbers just below the least normal one to a wrong one. And it makes of NaN whatever the
 * processor does.
 *
 * <p>Immutable and safe for any number of threads.
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
   * The conversion between two types.
   *
   * @throws UnsupportedFeatureException if there is none
   */
  public static Conversion between(Datatype from, Datatype to) {
    return between(from, to, "a transfer");
  }

  /**
   * The conversion between two types.
   *
   * @param where the object whose elements they are, for the error
   * @throws UnsupportedFeatureException if there is none; names both types, and the member that
   *     cannot be converted
   */
  public static Conversion between(Datatype from, Datatype to, String where) {
    if (from.equals(to)) {
      return none(to);
    }
    return new Conversion(from, to, new ConversionSearch(from, to, where).find());
  }

  /** The conversion that leaves elements of a type as they are. */
  public static Conversion none(Datatype type) {
    return new Conversion(type, type, new Converter.Copy(type.size()));
  }

  /** Type of the elements that come in. */
  public Datatype from() {
    return from;
  }

  /** Type of the elements that go out. */
  public Datatype to() {
    return to;
  }

  /** Whether the bytes stay as they are, so that a caller may leave the step out. */
  public boolean isIdentity() {
    return step instanceof Converter.Copy;
  }

  /**
   * Whether an element that goes out keeps some bytes of what stood in its place: members that the
   * source does not have, and gaps.
   */
  public boolean keepsBackground() {
    return step.keepsBytes();
  }

  /** The bytes of an element that goes out that are not kept. */
  public ElementParts written() {
    WrittenBytes bytes = new WrittenBytes();
    step.addWrittenBytes(0, bytes);
    return new ElementParts(to.size(), bytes.ranges());
  }

  /**
   * Converts.
   *
   * @param in at least {@code elements} elements; must not overlap {@code out}
   * @param out room for at least as many; holds what is kept
   * @throws IllegalArgumentException if a segment is too short
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
