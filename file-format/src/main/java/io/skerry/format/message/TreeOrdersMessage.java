package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;
import io.skerry.format.superblock.TreeOrders;

/**
 * B-tree K values (0x0013) of a superblock extension: {@code 00 | half the children of a chunk node
 * u16 | of a group node u16 | half the links of a symbol table node u16}.
 *
 * @param orders the sizes of nodes
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
