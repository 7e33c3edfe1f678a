package io.skerry.chunk.datatype;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.datatype.Datatype;

/**
 * Encodes and decodes the body of a datatype message.
 *
 * <pre>
 *  0        1           4      8
 * +--------+-----------+------+------------------------------+
 * | v × 16 | class bits| size | properties of the class, and |
 * | | class|  (3)      | u32  | messages of contained types  |
 * +--------+-----------+------+------------------------------+
 *
 * class            bits (least significant first)          properties
 *  0 integer       0 big-endian, 1-2 padding, 3 signed     u16 offset, u16 precision
 *  1 float         0 and 6 order, 1-3 padding,             u16 offset, u16 precision, u8 exponent
 *                  4-5 normalization, 8-15 sign position   position, size, u8 mantissa position,
 *                                                          size, u32 bias
 *  2 time          0 big-endian                            u16 precision
 *  3 string        0-3 padding, 4-7 character set          -
 *  4 bit field     0 big-endian, 1-2 padding               u16 offset, u16 precision
 *  5 opaque        0-7 padded bytes of the tag             tag
 *  6 compound      0-15 members                            per member name, offset, [dims,] type
 *  7 reference     0-3 kind, 4-7 encoding (new style: 1)   -
 *  8 enumeration   0-15 members                            base, names, values
 *  9 variable      0-3 kind, 4-7 padding, 8-11 char. set   base
 * 10 array         -                                       u8 rank, dims, base
 * 11 complex       0 parts of one type (1)                 base, a float
 * </pre>
 *
 * Versions 1 to 5 are read. The version written is 1, except 2 for arrays, 3 for VAX byte order, 4
 * for new-style references, and 5 for complex numbers. A compound, array or variable-length type
 * has at least the highest version among the types that it contains; compounds, arrays and
 * enumerations inside a compound may have the version of that compound. The HDF5 library writes the
 * same versions if no low version bound is set.
 *
 * <p>Source: HDF5 file format specification, section IV.A.2.d; sample files written by HDF5 1.10.8
 * and 1.14.3.
 */
public final class DatatypeCodec {
  /**
   * The maximum nesting depth of types. Deeper types are rejected before they overflow the stack.
   */
  static final int MAX_DEPTH = 32;

  private DatatypeCodec() {}

  /**
   * Decodes a message body and positions the reader after it.
   *
   * @throws io.skerry.exception.FormatException if the body is damaged
   * @throws io.skerry.exception.UnsupportedFeatureException if the datatype class is unknown, or if
   *     the base of an enumeration is not an integer of up to 8 bytes
   */
  public static Datatype decode(ByteReader in) {
    return new DatatypeReader(in).read(0);
  }

  /**
   * Appends a message body.
   *
   * @throws IllegalArgumentException if types are nested too deeply
   */
  public static void encode(Datatype type, ByteWriter out) {
    new DatatypeWriter(out).write(type, 1, 0);
  }
}
