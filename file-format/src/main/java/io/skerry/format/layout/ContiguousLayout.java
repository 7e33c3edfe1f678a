package io.skerry.format.layout;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;

/**
 * The layout of a dataset whose elements are all stored in one block: {@code 03 | 01 | address O |
 * size L}. Source: HDF5 File Format Specification 3.0, section IV.A.2.i, "The Data Layout Message".
 *
 * @param address the address of the block; undefined if not allocated
 * @param size the size of the block in bytes
 */
public record ContiguousLayout(long address, long size) implements LayoutMessage {
  static ContiguousLayout decode(ByteReader in, Widths widths) {
    return new ContiguousLayout(
        widths.readAddress(in, "data address"), widths.readLength(in, "data size"));
  }

  /** Returns whether the block is allocated. */
  public boolean isAllocated() {
    return FileAddress.isDefined(address);
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.u8(3).u8(1);
    widths.writeAddress(out, address);
    widths.writeLength(out, size);
  }
}
