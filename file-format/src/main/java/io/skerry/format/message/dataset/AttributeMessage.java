package io.skerry.format.message.dataset;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.StoredText;
import io.skerry.datatype.CharacterSet;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;
import io.skerry.format.message.CharacterSets;
import io.skerry.format.message.Message;
import io.skerry.format.message.SharedMessage;
import io.skerry.format.message.SharedMessageResolver;
import io.skerry.format.message.SharedReference;
import java.util.Optional;

/**
 * The attribute message (0x000C). Reads versions 1 to 3. Writes version 3 or, in object headers of
 * version 1, the oldest version that can represent the attribute. Source: HDF5 File Format
 * Specification 3.0, section IV.A.2.m, "The Attribute Message".
 *
 * <pre>
 * v1: 01 | reserved u8 | name size u16 | datatype size u16 | dataspace size u16
 *     | name, datatype, dataspace each padded with zeros to a multiple of 8 | data
 * v2: 02 | flags u8: bit 0 datatype shared, bit 1 dataspace shared | sizes as v1
 *     | name, datatype, dataspace unpadded | data
 * v3: like v2, but with a character set u8 after the sizes
 * </pre>
 *
 * <p>The name size includes the terminating NUL. A shared datatype or dataspace is replaced by a
 * {@link SharedReference}.
 *
 * @param name the name
 * @param characters the character set of the name
 * @param datatype the datatype of the elements
 * @param dataspace the dataspace
 * @param data the elements in row-major order, encoded in {@code datatype}
 * @param sharedType the location of the committed datatype, if the datatype is not stored in the
 *     message
 * @param sharedSpace the location of the dataspace, if it is not stored in the message
 */
public record AttributeMessage(
    String name,
    CharacterSet characters,
    DatatypeMessage datatype,
    DataspaceMessage dataspace,
    Bytes data,
    Optional<SharedReference> sharedType,
    Optional<SharedReference> sharedSpace)
    implements Message {
  /** Message type. */
  public static final int TYPE = 0x000C;

  /** Maximum size in bytes of a message body. */
  private static final int LIMIT = 0xffff;

  /** Creates an attribute whose datatype and dataspace are stored in the message. */
  public AttributeMessage(
      String name,
      CharacterSet characters,
      DatatypeMessage datatype,
      DataspaceMessage dataspace,
      Bytes data) {
    this(name, characters, datatype, dataspace, data, Optional.empty(), Optional.empty());
  }

  /**
   * Creates an attribute. The character set of its name is ASCII if the name contains only ASCII
   * characters, otherwise UTF-8.
   *
   * @throws IllegalArgumentException if the size of the data differs from the total size of the
   *     elements
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

  /**
   * Returns this attribute with a reference to a committed datatype, which must be equal to the
   * datatype of this attribute.
   */
  public AttributeMessage withSharedType(SharedReference reference) {
    return new AttributeMessage(
        name, characters, datatype, dataspace, data, Optional.of(reference), sharedSpace);
  }

  /** Returns this attribute with a different name. */
  public AttributeMessage withName(String other) {
    return new AttributeMessage(
        other, CharacterSets.of(other), datatype, dataspace, data, sharedType, sharedSpace);
  }

  /**
   * Decodes an attribute; returns a {@link SharedMessage} if its datatype or dataspace is stored
   * elsewhere and has not been resolved.
   */
  public static Message decode(ByteReader in, Widths widths, SharedMessageResolver shared) {
    Bytes whole = Bytes.of(in.slice(in.remaining()));
    ByteReader fields = ByteReader.of(whole.segment(), in.structure());
    int version = fields.u8();
    if (version < 1 || version > 3) {
      throw in.fault("attribute version", "1 to 3", version);
    }
    int flags = fields.u8();
    int nameBytes = fields.u16();
    int typeBytes = fields.u16();
    int spaceBytes = fields.u16();
    CharacterSet characters = version == 3 ? CharacterSets.decode(fields) : CharacterSet.ASCII;
    int unit = version == 1 ? 8 : 1;
    String name = part(fields, nameBytes, unit, "attribute name").textToNul();
    String of = " of attribute " + name;
    ByteReader typePart = part(fields, typeBytes, unit, "datatype" + of);
    ByteReader spacePart = part(fields, spaceBytes, unit, "dataspace" + of);
    Optional<SharedReference> sharedType = reference(typePart, widths, version > 1, flags & 1);
    Optional<SharedReference> sharedSpace = reference(spacePart, widths, version > 1, flags & 2);
    Optional<ByteReader> typeBody = body(typePart, DatatypeMessage.TYPE, sharedType, shared);
    Optional<ByteReader> spaceBody = body(spacePart, DataspaceMessage.TYPE, sharedSpace, shared);
    if (typeBody.isEmpty() || spaceBody.isEmpty()) {
      return new SharedMessage(TYPE, whole);
    }
    DatatypeMessage type = DatatypeMessage.decode(typeBody.get());
    DataspaceMessage space = DataspaceMessage.decode(spaceBody.get(), widths);
    Bytes data = Bytes.of(fields.slice(dataLength(fields, type, space)));
    return new AttributeMessage(name, characters, type, space, data, sharedType, sharedSpace);
  }

  private static Optional<SharedReference> reference(
      ByteReader part, Widths widths, boolean versionHasFlags, int flag) {
    return versionHasFlags && flag != 0
        ? Optional.of(SharedReference.decode(part, widths))
        : Optional.empty();
  }

  private static Optional<ByteReader> body(
      ByteReader part,
      int type,
      Optional<SharedReference> reference,
      SharedMessageResolver shared) {
    return reference.isEmpty()
        ? Optional.of(part)
        : shared
            .body(type, reference.get())
            .map(body -> ByteReader.of(body, "shared part of an attribute"));
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
    encodeDense(out, widths);
    checkLength(out.position() - start);
  }

  /** Appends the body in the form used in dense storage, where it may exceed 65535 bytes. */
  public void encodeDense(ByteWriter out, Widths widths) {
    ByteWriter space = ByteWriter.create();
    dataspace.encode(space, widths);
    encode(out, widths, 3, space);
  }

  @Override
  public void encodeEarliest(ByteWriter out, Widths widths) {
    ByteWriter space = ByteWriter.create();
    dataspace.encodeEarliest(space, widths);
    boolean shares = sharedType.isPresent() || sharedSpace.isPresent();
    int start = out.position();
    encode(out, widths, characters == CharacterSet.UTF8 ? 3 : shares ? 2 : 1, space);
    checkLength(out.position() - start);
  }

  private void encode(ByteWriter out, Widths widths, int version, ByteWriter ownSpace) {
    byte[] text = StoredText.encode(name);
    ByteWriter type = ByteWriter.create();
    sharedType.ifPresentOrElse(
        reference -> reference.encode(type, widths), () -> type.bytes(datatype.body().segment()));
    ByteWriter space = ByteWriter.create();
    sharedSpace.ifPresentOrElse(
        reference -> reference.encode(space, widths), () -> space.bytes(ownSpace.written()));
    out.u8(version).u8((sharedType.isPresent() ? 1 : 0) | (sharedSpace.isPresent() ? 2 : 0));
    out.u16(text.length + 1).u16(type.position()).u16(space.position());
    if (version == 3) {
      out.u8(characters.ordinal());
    }
    int unit = version == 1 ? 8 : 1;
    out.bytes(text).u8(0).zeros(Math.floorMod(-(text.length + 1), unit));
    out.bytes(type.written()).zeros(Math.floorMod(-type.position(), unit));
    out.bytes(space.written()).zeros(Math.floorMod(-space.position(), unit));
    out.bytes(data.segment());
  }

  private void checkLength(int length) {
    if (length > LIMIT) {
      throw new IllegalArgumentException(
          "attribute too large for an object header: name="
              + name
              + " bytes="
              + length
              + " limit="
              + LIMIT);
    }
  }
}
