package io.skerry.format.index.api;

import io.skerry.format.block.Block;
import java.util.List;

/**
 * The file space that changes to a chunk B-tree need and free.
 *
 * @param newBytes the size in bytes of one contiguous block for all new nodes and, in version 2, a
 *     new header; 0 if there are none. If the tree is not in the file yet, the part to which the
 *     layout message refers (the header in version 2, the root node in version 1) is at the start
 *     of that block.
 * @param freed the blocks that are no longer referenced after the commit
 */
public record TreeChange(long newBytes, List<Block> freed) {
  public TreeChange {
    freed = List.copyOf(freed);
  }
}
