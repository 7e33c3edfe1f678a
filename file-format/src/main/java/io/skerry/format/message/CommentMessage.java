package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;

/**
 * The object comment message (0x000D): a NUL-terminated string. Source: HDF5 File Format
 * Specification 3.0, section IV.A.2.n, "The Object Comment Message".
 *
 * @param text the comment
 */
public record CommentMessage(String text) implements Message {
  /** Message type. */
  public static final int TYPE = 0x000D;

  public static CommentMessage decode(ByteReader in) {
    return new CommentMessage(in.textToNul());
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.text(text).u8(0);
  }
}
