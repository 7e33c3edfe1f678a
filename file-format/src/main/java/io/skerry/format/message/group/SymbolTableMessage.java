package io.skerry.format.message.group;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;
import io.skerry.format.message.Message;

/**
 * The symbol table message (0x0011), which every old-style group has: {@code B-tree O | local heap
 * O}. Source: HDF5 File Format Specification 3.0, section IV.A.2.r, "The Symbol Table Message".
 *
 * @param treeAddress the address of the version 1 B-tree of the links
 * @param heapAddress the address of the local heap with the names
 */
public record SymbolTableMessage(long treeAddress, long heapAddress) implements Message {
  /** Message type. */
  public static final int TYPE = 0x0011;

  public static SymbolTableMessage decode(ByteReader in, Widths widths) {
    return new SymbolTableMessage(
        widths.readDefinedAddress(in, "symbol table B-tree"),
        widths.readDefinedAddress(in, "symbol table heap"));
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    widths.writeAddress(out, treeAddress);
    widths.writeAddress(out, heapAddress);
  }
}
