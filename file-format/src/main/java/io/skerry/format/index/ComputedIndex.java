package io.skerry.format.index;

import io.skerry.format.block.Block;
import io.skerry.format.block.BlockKind;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.format.index.api.LeafId;
import io.skerry.format.index.api.LinearIndex;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * A linear index without index blocks: the layout message alone determines the locations of the
 * chunks. The leaves only distribute the work among the ranks and are never read or written.
 */
sealed interface ComputedIndex extends LinearIndex permits SingleChunkIndex, ImplicitIndex {

  @Override
  default BlockKind leafKind() {
    throw noBlock();
  }

  @Override
  default Optional<Block> stored(LeafId leaf) {
    return Optional.empty();
  }

  @Override
  default List<LeafId> storedLeaves() {
    return List.of();
  }

  @Override
  default List<Optional<ChunkRecord>> decodeLeaf(LeafId leaf, MemorySegment block) {
    throw noBlock();
  }

  @Override
  default MemorySegment encodeLeaf(LeafId leaf, List<Optional<ChunkRecord>> slots) {
    throw noBlock();
  }

  private IllegalStateException noBlock() {
    return new IllegalStateException("the index has no blocks of its own: kind=" + kind());
  }
}
