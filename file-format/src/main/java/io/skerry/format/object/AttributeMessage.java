package io.skerry.format.object;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.type.CharacterSet;
import io.skerry.format.Bytes;
import io.skerry.format.Widths;
import java.nio.charset.StandardCharsets;

/**
 * Attribute (0x000C): a small named value. Reads versions 1 to 3, writes 3.
 *
 * <pre>
 * v1: 01 | reserved u8 | name bytes u16 | datatype bytes u16 | dataspace bytes u16
 *     | name, datatype, dataspace each padded with zeros to a multiple of 8 | data
 * v2: 02 | flags u8: bit 0 datatype shared, bit 1 dataspace shared | sizes as v1
 *     | name, datatype, dataspace unpadded | data
 * v3: as v2 with a character set u8 after the sizes
 * </pre>
 *
 * <p>The name ends in NUL and its size counts it.
 *
 * @param name the name
 * @param characters encoding of the name
 * @param datatype of its elements
 * @param dataspace its extent
 * @param data its elements in row-major order, packed in the file's datatype
 */
public record AttributeMessage(
    String name,
    CharacterSet characters,
    DatatypeMessage datatype,
    DataspaceMessage dataspace,
    Bytes data)
    implements Message {
  /** Message type. */
  public static final int TYPE = 0x000C;

  /** Most bytes of a whole message body. */
  private static final int LIMIT = 0xffff;

  /**
   * An attribute, the character set as narrow as the name allows.
   *
   * @throws IllegalArgumentException if the data is not as long as extent and type say
   */
  public static AttributeMessage of(
      String name, DatatypeMessage datatype, DataspaceMessage dataspace, Bytes data) {
    if (dataspace.elements() * datatype.elementSize() != data.size()) {
      throw new IllegalArgumentException(
          "attribute data of another size: name="
              + name
              + " elements="
              + dataspace.elements()
              + " elementSize="
              + datatype.elementSize()
              + " bytes="
              + data.size());
    }
    return new AttributeMessage(name, CharacterSets.of(name), datatype, dataspace, data);
  }

  /** An attribute, or a {@link SharedMessage} if its datatype or dataspace stands elsewhere. */
  static Message decode(ByteReader in, Widths widths) {
    Bytes whole = Bytes.of(in.slice(in.remaining()));
    ByteReader fields = ByteReader.of(whole.segment(), in.structure());
    int version = fields.u8();
    if (version < 1 || version > 3) {
      throw in.fault("attribute version", "1 to 3", version);
    }
    int flags = fields.u8();
    if (version > 1 && (flags & 3) != 0) {
      return new SharedMessage(TYPE, whole);
    }
    int nameBytes = fields.u16();
    int typeBytes = fields.u16();
    int spaceBytes = fields.u16();
    CharacterSet characters = version == 3 ? CharacterSets.decode(fields) : CharacterSet.ASCII;
    int unit = version == 1 ? 8 : 1;
    String name = part(fields, nameBytes, unit, "attribute name").textToNul();
    String of = " of attribute " + name;
    DatatypeMessage type = DatatypeMessage.decode(part(fields, typeBytes, unit, "datatype" + of));
    DataspaceMessage space =
        DataspaceMessage.decode(part(fields, spaceBytes, unit, "dataspace" + of), widths);
    long length = dataLength(fields, type, space);
    return new AttributeMessage(name, characters, type, space, Bytes.of(fields.slice(length)));
  }

  private static ByteReader part(ByteReader in, int length, int unit, String what) {
    ByteReader part = in.sub(length, what);
    in.skip(Math.floorMod(-length, unit));
    return part;
  }

  private static long dataLength(ByteReader in, DatatypeMessage type, DataspaceMessage space) {
    long elements = space.elements();
    long size = type.elementSize();
    if (size != 0 && elements > in.remaining() / size) {
      throw in.fault(
          "attribute data",
          elements + " elements of " + size + " bytes",
          in.remaining() + " bytes");
    }
    return elements * size;
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    int start = out.position();
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    ByteWriter space = ByteWriter.create();
    dataspace.encode(space, widths);
    out.u8(3).u8(0).u16(text.length + 1).u16(datatype.body().size()).u16(space.position());
    out.u8(characters.ordinal()).bytes(text).u8(0);
    out.bytes(datatype.body().segment()).bytes(space.written()).bytes(data.segment());
    if (out.position() - start > LIMIT) {
      throw new IllegalArgumentException(
          "attribute too large for an object header: name="
              + name
              + " bytes="
              + (out.position() - start)
              + " limit="
              + LIMIT);
    }
  }
}
