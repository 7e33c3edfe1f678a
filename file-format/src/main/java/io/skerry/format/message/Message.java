package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;

/**
 * An object header message. Each message type has a record class, which documents the byte layout
 * and has a static {@code decode} method in addition to {@link #encode}. Messages are values and
 * independent of their location in the header.
 */
public interface Message {

  /** Returns the message type in the message header. */
  int type();

  /** Appends the body, without the message header. */
  void encode(ByteWriter out, Widths widths);

  /**
   * Appends the body in the oldest version that can represent it. Object headers of version 1
   * contain this form. Layouts and datatypes keep the version in which they were created.
   */
  default void encodeEarliest(ByteWriter out, Widths widths) {
    encode(out, widths);
  }
}
