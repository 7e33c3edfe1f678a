package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;

/**
 * An object header message. Messages are values and independent of their location in the header.
 */
public interface Message {

  /** Returns the message type in the message header. */
  int type();

  /** Appends the body, without the message header. */
  void encode(ByteWriter out, Widths widths);

  /**
   * Appends the body in the form for object headers of version 1: the oldest version that can
   * represent the message. Layouts and datatypes are encoded as by {@link #encode}.
   */
  default void encodeEarliest(ByteWriter out, Widths widths) {
    encode(out, widths);
  }
}
