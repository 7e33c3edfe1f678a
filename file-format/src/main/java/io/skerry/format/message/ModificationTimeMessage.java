package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;

/**
 * The object modification time message (0x0012): {@code 01 | reserved 3 | seconds since 1970 UTC
 * u32}. Source: HDF5 File Format Specification 3.0, section IV.A.2.s, "The Object Modification Time
 * Message".
 *
 * @param seconds the seconds since 1970-01-01T00:00Z
 */
public record ModificationTimeMessage(long seconds) implements Message {
  /** Message type. */
  public static final int TYPE = 0x0012;

  public static ModificationTimeMessage decode(ByteReader in) {
    in.expect("modification time version", 1, in.u8());
    in.skip(3);
    return new ModificationTimeMessage(in.u32());
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.u8(1).zeros(3).u32(seconds);
  }
}
