package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;

/**
 * A message that is stored elsewhere, or an attribute whose datatype or dataspace is stored
 * elsewhere, if the {@link SharedMessageResolver} left the reference unresolved.
 *
 * @param type the type of the shared message
 * @param body the bytes of the message in the object header, which contain the reference
 */
public record SharedMessage(int type, Bytes body) implements Message {
  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.bytes(body.segment());
  }
}
