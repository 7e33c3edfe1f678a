package io.skerry.format.dense;

import io.skerry.chunk.bytes.ByteReader;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/**
 * An attribute of dense storage, unread but for its name.
 *
 * @param body of its attribute message (0x000C): a view, valid while the source is open
 * @param flags of the message, as in an object header
 * @param creationOrder if the object tracks that of attributes
 */
public record DenseAttribute(MemorySegment body, int flags, OptionalInt creationOrder) {
  /** Its name. */
  public String name() {
    return new String(nameBytes(body), StandardCharsets.UTF_8);
  }

  /** The bytes of the name in a message of version 1 to 3. */
  static byte[] nameBytes(MemorySegment body) {
    ByteReader in = ByteReader.of(body, "attribute");
    int version = in.u8();
    if (version < 1 || version > 3) {
      throw in.fault("attribute version", "1 to 3", version);
    }
    in.skip(1);
    int length = in.u16();
    in.skip(version == 3 ? 5 : 4);
    return in.sub(length, "attribute name").textToNul().getBytes(StandardCharsets.UTF_8);
  }
}
