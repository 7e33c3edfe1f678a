package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;

/**
 * The object reference count message (0x0016): {@code 00 | count u32}; absent if the count is 1.
 * Source: HDF5 File Format Specification 3.0, section IV.A.2.w, "The Object Reference Count
 * Message".
 *
 * @param count the number of hard links to the object and, for a committed datatype, of the
 *     messages that refer to it
 */
public record ReferenceCountMessage(long count) implements Message {
  /** Message type. */
  public static final int TYPE = 0x0016;

  public static ReferenceCountMessage decode(ByteReader in) {
    in.expect("reference count version", 0, in.u8());
    return new ReferenceCountMessage(in.u32());
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.u8(0).u32(count);
  }
}
