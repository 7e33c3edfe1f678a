package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Block;
import io.skerry.format.block.Widths;

/**
 * The object header continuation message (0x0010). Source: HDF5 File Format Specification 3.0,
 * section IV.A.2.q, "The Object Header Continuation Message".
 *
 * <pre>
 * off bytes field
 * 0   O     address of the continuation block
 * O   L     length of the block; in version 2, includes signature and checksum
 * </pre>
 *
 * @param block the continuation block
 */
public record ContinuationMessage(Block block) implements Message {
  /** Message type. */
  public static final int TYPE = 0x0010;

  public static ContinuationMessage decode(ByteReader in, Widths widths) {
    long address = widths.readDefinedAddress(in, "continuation address");
    return new ContinuationMessage(
        new Block(address, widths.readLength(in, "continuation length")));
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    widths.writeAddress(out, block.address());
    widths.writeLength(out, block.length());
  }
}
