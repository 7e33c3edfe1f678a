package io.skerry.format.message.group;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;
import io.skerry.format.message.Message;

/**
 * Symbol table (0x0011): what makes a header a group of the old style: {@code B-tree O | heap O}.
 *
 * @param treeAddress version 1 B-tree of the names
 * @param heapAddress local heap with the names
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
