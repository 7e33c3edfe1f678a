package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;

/**
 * Comment (0x000D): text ended by NUL.
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
