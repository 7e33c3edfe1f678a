package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;

/**
 * The NIL message (0x0000): free space in an object header, ignored on read and written as zeros.
 * Source: HDF5 File Format Specification 3.0, section IV.A.2.a, "The NIL Message".
 *
 * @param size the size of the body in bytes
 */
public record NilMessage(int size) implements Message {
  /** Message type. */
  public static final int TYPE = 0x0000;

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.zeros(size);
  }
}
