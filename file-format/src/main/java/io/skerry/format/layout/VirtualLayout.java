package io.skerry.format.layout;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;

/**
 * Elements in other datasets: {@code 04 | 03 | global heap collection O | object index u32}.
 *
 * @param heapAddress global heap collection that holds the mapping; undefined if there is none
 * @param index of the object in it
 */
public record VirtualLayout(long heapAddress, long index) implements LayoutMessage {
  static VirtualLayout decode(ByteReader in, Widths widths) {
    return new VirtualLayout(widths.readAddress(in, "mapping address"), in.u32());
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.u8(4).u8(3);
    widths.writeAddress(out, heapAddress);
    out.u32(index);
  }
}
