package io.skerry.format.layout;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;

/**
 * The layout of a dataset whose elements are all stored in the object header: {@code 03 | 00 | size
 * u16 | data}. Source: HDF5 File Format Specification 3.0, section IV.A.2.i, "The Data Layout
 * Message".
 *
 * @param data the elements in row-major order
 */
public record CompactLayout(Bytes data) implements LayoutMessage {
  static CompactLayout decode(ByteReader in) {
    return new CompactLayout(Bytes.of(in.slice(in.u16())));
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.u8(3).u8(0).u16(data.size()).bytes(data.segment());
  }
}
