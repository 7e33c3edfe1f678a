package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;

/**
 * A message that could not be decoded. Its fault is stored rather than thrown, so that the rest of
 * the object can still be read.
 *
 * @param type the message type
 * @param body the bytes of the message
 * @param fault a {@link io.skerry.exception.FormatException} or {@link
 *     io.skerry.exception.UnsupportedFeatureException}
 */
public record DamagedMessage(int type, Bytes body, RuntimeException fault) implements Message {
  /**
   * Returns a new exception for the fault on each call, since a try-with-resources statement fails
   * if its block and the closing of its resource throw the same exception object.
   */
  public RuntimeException freshFault() {
    return switch (fault) {
      case FormatException damage -> damage.again();
      case UnsupportedFeatureException unsupported -> unsupported.again();
      default -> fault;
    };
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.bytes(body.segment());
  }
}
