package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;

/**
 * A message that is stored elsewhere, or an attribute whose datatype or dataspace is stored
 * elsewhere. It is unresolved because the header was read without a {@link SharedMessageResolver};
 * {@code ObjectHeader.find} throws an exception for it if the header has no other message of the
 * type.
 *
 * @param type the type of the shared message
 * @param body the bytes in this header
 */
public record SharedMessage(int type, Bytes body) implements Message {
  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.bytes(body.segment());
  }
}
