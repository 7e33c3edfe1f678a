package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;

/**
 * Nothing (0x0000): free space in a header, zeros here and ignored on read.
 *
 * @param size bytes of the body
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
