package io.skerry.format.layout;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;

/**
 * All elements in one block: {@code 03 | 01 | address O | size L}.
 *
 * @param address of the block; undefined if not allocated
 * @param size of the block in bytes
 */
public record ContiguousLayout(long address, long size) implements LayoutMessage {
  static ContiguousLayout decode(ByteReader in, Widths widths) {
    return new ContiguousLayout(
        widths.readAddress(in, "data address"), widths.readLength(in, "data size"));
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.u8(3).u8(1);
    widths.writeAddress(out, address);
    widths.writeLength(out, size);
  }
}
