package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;

/**
 * The metadata cache image message (0x0018) of a superblock extension: {@code 00 | address O |
 * bytes L}.
 *
 * @param address the address of the image, or undefined
 * @param length the size of the image in bytes
 */
public record CacheImageMessage(long address, long length) implements Message {
  /** Message type. */
  public static final int TYPE = 0x0018;

  public static CacheImageMessage decode(ByteReader in, Widths widths) {
    in.expect("metadata cache image version", 0, in.u8());
    return new CacheImageMessage(
        widths.readAddress(in, "metadata cache image"),
        widths.readLength(in, "bytes of the metadata cache image"));
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.u8(0);
    widths.writeAddress(out, address);
    widths.writeLength(out, length);
  }
}
