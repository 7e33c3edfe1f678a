package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;

/**
 * A message whose content, or an attribute whose datatype or dataspace, stands elsewhere and was
 * not fetched, because the header was read without {@link SharedMessageResolver}. {@code
 * ObjectHeader.find} refuses it.
 *
 * @param type number of the kind of the message that is shared
 * @param body the bytes as they stand in this header
 */
public record SharedMessage(int type, Bytes body) implements Message {
  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.bytes(body.segment());
  }
}
