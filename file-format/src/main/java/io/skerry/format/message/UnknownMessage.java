package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;

/**
 * A message that is kept but not understood, so that rewriting a header loses nothing.
 *
 * @param type number of its kind
 * @param body its bytes
 */
public record UnknownMessage(int type, Bytes body) implements Message {
  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.bytes(body.segment());
  }
}
