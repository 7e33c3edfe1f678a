package io.skerry.format.message.dataset;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;
import io.skerry.format.message.Message;

/**
 * The old fill value message (0x0004): {@code size u32 | value}. Source: HDF5 File Format
 * Specification 3.0, section IV.A.2.e, "The Data Storage - Fill Value (Old) Message".
 *
 * @param value one element in the file datatype; empty for the default of zeros
 */
public record OldFillValueMessage(Bytes value) implements Message {
  /** Message type. */
  public static final int TYPE = 0x0004;

  public static OldFillValueMessage decode(ByteReader in) {
    return new OldFillValueMessage(Bytes.of(in.slice(in.u32())));
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.u32(value.size()).bytes(value.segment());
  }
}
