package io.skerry.format.index.api;

import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import java.util.List;
import java.util.SortedMap;

/**
 * What one commit does to a chunk index. The same on every rank.
 *
 * @param index the index afterwards; leaves are encoded with this one
 * @param leaves where each leaf goes that has to be encoded and written: all the touched ones, and
 *     those that share a block with changed spine content. Empty for a single chunk, whose record
 *     lives in the layout message
 * @param spine the replicated blocks that changed, ready to write
 */
public record IndexCommit(
    LinearIndex index, SortedMap<LeafId, Block> leaves, List<BlockImage> spine) {
  public IndexCommit {
    spine = List.copyOf(spine);
  }
}
