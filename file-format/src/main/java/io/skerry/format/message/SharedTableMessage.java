package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;

/**
 * The shared message table message (0x000F) of a superblock extension: {@code 00 | table O |
 * indexes u8}. Source: HDF5 File Format Specification 3.0, section IV.A.2.p, "The Shared Message
 * Table Message".
 *
 * @param tableAddress the address of the table
 * @param indexes the number of indexes in the table, 1 to 8
 */
public record SharedTableMessage(long tableAddress, int indexes) implements Message {
  /** Message type. */
  public static final int TYPE = 0x000F;

  private static final int MOST = 8;

  public static SharedTableMessage decode(ByteReader in, Widths widths) {
    in.expect("shared message table version", 0, in.u8());
    long table = widths.readDefinedAddress(in, "shared message table");
    int indexes = in.u8();
    if (indexes < 1 || indexes > MOST) {
      throw in.fault("shared message indexes", "1 to " + MOST, indexes);
    }
    return new SharedTableMessage(table, indexes);
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.u8(0);
    widths.writeAddress(out, tableAddress);
    out.u8(indexes);
  }
}
