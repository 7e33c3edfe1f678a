package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;

/**
 * A message that could not be read. The object opens all the same, and whoever asks for a message
 * of this kind gets the fault: a bad attribute does not hide a group.
 *
 * @param type number of its kind
 * @param body its bytes
 * @param fault a {@link io.skerry.exception.FormatException} or {@link
 *     io.skerry.exception.UnsupportedFeatureException}
 */
public record DamagedMessage(int type, Bytes body, RuntimeException fault) implements Message {
  /**
   * The fault as an exception of its own: try-with-resources fails on one that is thrown by its
   * body and again by the closing.
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
