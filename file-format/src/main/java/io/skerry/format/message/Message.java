package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;

/**
 * An object header message. Most message types have a record class, which documents the byte layout
 * and has a static {@code decode} method in addition to {@link #encode}; the data layout message
 * has a record class for each kind of layout. Messages are values and independent of their location
 * in the header.
 */
public interface Message {

  /** Returns the message type in the message header. */
  int type();

  /** Appends the body, without the message header. */
  void encode(ByteWriter out, Widths widths);

  /**
   * Appends the body in the oldest version that can represent it. Object headers of version 1
   * contain this form. Layouts and datatypes are encoded as by {@link #encode}.
   */
  default void encodeEarliest(ByteWriter out, Widths widths) {
    encode(out, widths);
  }
}
