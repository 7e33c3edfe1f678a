package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;

/**
 * A message of a type that this library does not decode, kept so that it is preserved when the
 * header is rewritten.
 *
 * @param type the message type
 * @param body the bytes of the message
 */
public record UnknownMessage(int type, Bytes body) implements Message {
  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.bytes(body.segment());
  }
}
