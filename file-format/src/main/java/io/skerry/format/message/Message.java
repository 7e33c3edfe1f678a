package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;

/**
 * A message of an object header: one record per kind, each with the ruler of its bytes and a static
 * {@code decode} beside its {@link #encode}. Messages are values; where they stand is the header's
 * business.
 */
public interface Message {

  /** The number of its kind in the message header. */
  int type();

  /** Appends the body, without the message header. */
  void encode(ByteWriter out, Widths widths);

  /**
   * Appends the body in the oldest form that holds it, as headers of version 1 have it. Layouts and
   * datatypes stay in the form they were made in.
   */
  default void encodeEarliest(ByteWriter out, Widths widths) {
    encode(out, widths);
  }
}
