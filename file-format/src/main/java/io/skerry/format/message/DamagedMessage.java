package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;

/**
 * A message that could not be decoded. The object can still be opened; the exception is thrown if
 * all messages of this type are requested, or if one is requested and none could be decoded. Thus a
 * damaged attribute does not make its object unreadable.
 *
 * @param type the message type
 * @param body the bytes of the message
 * @param fault a {@link io.skerry.exception.FormatException} or {@link
 *     io.skerry.exception.UnsupportedFeatureException}
 */
public record DamagedMessage(int type, Bytes body, RuntimeException fault) implements Message {
  /**
   * Returns a new exception for the fault. If the block of a try-with-resources statement and the
   * closing of its resource threw the same exception object, the exception would be added to its
   * own suppressed exceptions, which is not allowed.
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
