package io.skerry.format.index;

import io.skerry.format.Block;
import io.skerry.format.FileAddress;
import java.util.List;

/**
 * A change of a chunk B-tree that has its space. The same on every rank.
 *
 * @param index the index afterwards; the tree is encoded with this one
 * @param body where the new nodes go: one block, or none
 */
public record TreeCommit(TreeIndex index, List<Block> body) {
  public TreeCommit {
    body = List.copyOf(body);
  }

  long bodyAddress() {
    return body.isEmpty() ? FileAddress.UNDEFINED : body.getFirst().address();
  }
}
