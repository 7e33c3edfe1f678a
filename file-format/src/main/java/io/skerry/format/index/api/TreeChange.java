package io.skerry.format.index.api;

import io.skerry.format.block.Block;
import java.util.List;

/**
 * What a changed chunk B-tree asks of the file's space.
 *
 * @param newBytes space for new blocks, in one stretch; 0 for none. If the tree is not in the file
 *     yet, the block that the layout message names is the first of them
 * @param freed blocks that nothing refers to after the commit
 */
public record TreeChange(long newBytes, List<Block> freed) {
  public TreeChange {
    freed = List.copyOf(freed);
  }
}
