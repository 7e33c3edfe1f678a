package io.skerry.internal.value;

import io.skerry.datatype.Datatype;
import io.skerry.value.Contents;
import java.lang.foreign.MemorySegment;

/**
 * Encodes elements in the canonical form for content digests, which does not depend on the layout,
 * filters or byte order in the file:
 *
 * <ul>
 *   <li>integers and enumerations: little-endian at their size, sign-extended or zero-extended over
 *       padding bits;
 *   <li>bit fields and times: little-endian at their size, all bits as stored;
 *   <li>floating-point numbers: little-endian, in the narrowest of binary16, binary32, binary64 and
 *       the 80-bit extended format in 16 bytes that can represent every value of the type and is
 *       not smaller than the type; if none of them can, as stored, little-endian;
 *   <li>complex numbers: the real part, then the imaginary part;
 *   <li>fixed-length strings: at their size, NUL-padded; if they are NUL-padded in the file, as
 *       stored;
 *   <li>opaque elements: as stored; NumPy dates and times, whose tag contains their byte order,
 *       little-endian;
 *   <li>compounds: the members in order, packed;
 *   <li>arrays: the elements in order;
 *   <li>variable-length strings: the number of bytes (u32), then the content up to a NUL;
 *   <li>sequences: the number of elements (u32), then the elements;
 *   <li>references of every kind: the number of bytes (u32), then the path of the object; the path
 *       is empty for a null reference or an object without a path, and {@code ?} if there is no
 *       object. If the reference itself names another file, the path is replaced with the name of
 *       that file, {@code :} and the address of the object header in hexadecimal, such as {@code
 *       0x60}. An attribute reference appends {@code @} and the name of the attribute.
 * </ul>
 *
 * <p>The reference implementation uses NumPy. For a value that is not part of an array, that is,
 * the element of a scalar dataset or a member of a compound, NumPy uses a different form, which is
 * also the canonical form of the value. A string loses the NULs at its end, but an empty string
 * keeps one. A sequence is written as one sequence of length 1 for each of its elements. If its
 * elements are sequences themselves, each of them is instead written as its length, followed by the
 * inner sequence in this same form.
 *
 * <p>A sequence of arrays whose elements have a fixed canonical size counts as a sequence of these
 * array elements. Each array element is written as many times as the array has elements. A length
 * that directly precedes array elements, including the length 1 above, counts every repetition.
 *
 * <p>An instance encodes elements of one file and one type. Local.
 */
public final class CanonicalForm {
  private final Datatype type;
  private final ElementForms forms;

  /**
   * Creates the canonical form of a type.
   *
   * @param type the datatype of the elements in the file
   * @param contents access to the variable-length values and the objects of that file
   */
  public CanonicalForm(Datatype type, Contents contents) {
    this.type = type;
    this.forms = new ElementForms(StoredContents.of(contents));
  }

  /** Writes the first {@code count} elements of a packed run. */
  public void write(MemorySegment packed, long count, ByteSink sink) {
    try (Gathered out = new Gathered(sink)) {
      forms.of(type).write(packed, 0, count, out);
    }
  }

  /** Writes the element of a scalar dataset. */
  public void writeScalar(MemorySegment packed, ByteSink sink) {
    try (Gathered out = new Gathered(sink)) {
      forms.single(type).write(packed, 0, 1, out);
    }
  }
}
