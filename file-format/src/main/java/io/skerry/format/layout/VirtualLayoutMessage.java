package io.skerry.format.layout;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;

/**
 * The layout of a virtual dataset, whose elements are stored in other datasets: {@code 04 | 03 |
 * global heap collection O | object index u32}. Source: HDF5 File Format Specification 3.0, section
 * IV.A.2.i, "The Data Layout Message".
 *
 * @param heapAddress the address of the global heap collection with the mappings; undefined if
 *     there are none
 * @param index the index of the mappings object in the collection
 */
public record VirtualLayoutMessage(long heapAddress, long index) implements LayoutMessage {
  static VirtualLayoutMessage decode(ByteReader in, Widths widths) {
    return new VirtualLayoutMessage(widths.readAddress(in, "mapping address"), in.u32());
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.u8(4).u8(3);
    widths.writeAddress(out, heapAddress);
    out.u32(index);
  }
}
