package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;
import io.skerry.format.superblock.TreeOrders;

/**
 * The B-tree 'K' values message (0x0013) of a superblock extension: {@code 00 | K of chunk nodes
 * u16 | K of group nodes u16 | K of symbol table nodes u16}. K is half the maximum number of
 * children or, for a symbol table node, of links. Source: HDF5 File Format Specification 3.0,
 * section IV.A.2.t, "The B-tree 'K' Values Message".
 *
 * @param orders the three values
 */
public record TreeOrdersMessage(TreeOrders orders) implements Message {
  /** Message type. */
  public static final int TYPE = 0x0013;

  public static TreeOrdersMessage decode(ByteReader in) {
    in.expect("B-tree K values version", 0, in.u8());
    int chunk = in.u16();
    int group = in.u16();
    int leaf = in.u16();
    if (chunk == 0 || group == 0 || leaf == 0) {
      throw in.fault("B-tree K values", "at least 1", chunk + ", " + group + ", " + leaf);
    }
    return new TreeOrdersMessage(new TreeOrders(leaf, group, chunk));
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.u8(0).u16(orders.chunkNodes()).u16(orders.groupNodes()).u16(orders.leafLinks());
  }
}
