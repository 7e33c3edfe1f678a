package io.skerry.format.dense;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.StoredText;
import java.lang.foreign.MemorySegment;
import java.util.OptionalInt;

/**
 * An attribute in dense storage. Only its name is decoded.
 *
 * @param body the body of its attribute message (0x000C): a view, valid while the source is open
 *     or, if a {@link DenseAttributesEditor} returned the attribute, until the next change
 * @param flags the flags of the message, as in an object header
 * @param creationOrder the creation order, if the object tracks it
 */
public record DenseAttribute(MemorySegment body, int flags, OptionalInt creationOrder) {
  /** Returns the name of the attribute. */
  public String name() {
    return StoredText.decode(nameBytes(body));
  }

  /**
   * Returns the bytes of the name in an attribute message of version 1, 2 or 3, without the
   * terminating NUL.
   */
  static byte[] nameBytes(MemorySegment body) {
    ByteReader in = ByteReader.of(body, "attribute");
    int version = in.u8();
    if (version < 1 || version > 3) {
      throw in.fault("attribute version", "1 to 3", version);
    }
    in.skip(1);
    int length = in.u16();
    in.skip(version == 3 ? 5 : 4);
    return StoredText.encode(in.sub(length, "attribute name").textToNul());
  }
}
