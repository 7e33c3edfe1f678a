package io.skerry.iod.encoding;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.datatype.DatatypeCodec;
import io.skerry.datatype.Datatype;
import java.lang.foreign.MemorySegment;

/**
 * Encodes and decodes datatypes in the form of {@code H5Tencode}.
 *
 * <pre>
 *  0      1      2
 * +------+------+----------------------------+
 * | 03   | 00   | body of a datatype message |
 * | type | vers.|                            |
 * +------+------+----------------------------+
 * </pre>
 *
 * <p>The body is that of {@link DatatypeCodec}, in the lowest version that can represent the type.
 * One detail differs: the library encodes types as they are in memory, where a pointer to text of
 * variable length has 8 bytes and a sequence 16 bytes. {@link #encode} therefore writes these sizes
 * and {@link #decode} returns types with descriptors of 16 bytes, the size of a cell in a
 * container; sizes and offsets of enclosing types change accordingly.
 *
 * <p>Source: datatypes encoded by HDF5 1.10.8, 1.14.3 and 2.0.0.
 */
public final class EncodedDatatype {
  private static final int MESSAGE_TYPE = 3;
  private static final int VERSION = 0;

  private EncodedDatatype() {}

  /**
   * Encodes a datatype. Local, thread-safe.
   *
   * @throws IllegalArgumentException if types are nested too deeply, or an element has 2^31 bytes
   *     or more in memory
   */
  public static byte[] encode(Datatype type) {
    ByteWriter out = ByteWriter.create().u8(MESSAGE_TYPE).u8(VERSION);
    DatatypeCodec.encode(DescriptorSizes.IN_MEMORY.applied(type), out);
    return out.toArray();
  }

  /**
   * Decodes a datatype. Local, thread-safe.
   *
   * @param bytes the encoded datatype and nothing else
   * @throws io.skerry.exception.FormatException if the bytes are not an encoded datatype
   * @throws io.skerry.exception.UnsupportedFeatureException if the datatype class is unknown, or if
   *     the base of an enumeration is not an integer of up to 8 bytes
   */
  public static Datatype decode(MemorySegment bytes) {
    return decode(ByteReader.of(bytes, "encoded datatype"));
  }

  /**
   * Decodes a datatype, which must occupy all remaining bytes. Local.
   *
   * @throws io.skerry.exception.FormatException if the bytes are not an encoded datatype
   * @throws io.skerry.exception.UnsupportedFeatureException if the datatype class is unknown, or if
   *     the base of an enumeration is not an integer of up to 8 bytes
   */
  public static Datatype decode(ByteReader in) {
    in.expect("message type", MESSAGE_TYPE, in.u8());
    in.expect("encoding version", VERSION, in.u8());
    Datatype type = DatatypeCodec.decode(in);
    in.expect("bytes after the datatype", 0, in.remaining());
    try {
      return DescriptorSizes.IN_CONTAINER.applied(type);
    } catch (IllegalArgumentException e) {
      throw in.fault("bytes of an element", "at most 2^31-1", String.valueOf(e.getMessage()));
    }
  }
}
