package io.skerry.format.index.api;

import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import java.util.List;
import java.util.SortedMap;

/**
 * The result of one commit of a chunk index, identical on every rank.
 *
 * @param index the index after the commit; the leaves must be encoded with this index
 * @param leaves the blocks of the leaves to encode and write: all touched leaves, and those that
 *     share a block with changed parts of the spine; empty for single-chunk and implicit indexes,
 *     which have no blocks for leaves
 * @param spine the changed blocks of the spine, ready to write
 */
public record IndexCommit(
    LinearIndex index, SortedMap<LeafId, Block> leaves, List<BlockImage> spine) {
  public IndexCommit {
    spine = List.copyOf(spine);
  }
}
