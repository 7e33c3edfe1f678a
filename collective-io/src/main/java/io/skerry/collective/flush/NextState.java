package io.skerry.collective.flush;

import io.skerry.cache.api.ChunkKey;
import io.skerry.collective.alloc.FreeBlocks;
import io.skerry.collective.core.FileContext;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.BlockImage;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.mpi.Communicator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The state of the file that a flush prepares. This state takes effect with the commit; if the
 * flush fails, it is dropped.
 *
 * @param ranks the ranks, among which metadata blocks are distributed
 * @param space the allocator after the flush, in the same state on all ranks except for holes that
 *     are recorded on only one rank
 * @param free the free blocks that are recorded only on this rank after the flush
 * @param blocks the blocks that the commit writes on this rank: metadata, and chunks at fixed
 *     addresses
 * @param before the previous records of the chunks that the flush changes and whose index owner is
 *     this rank
 */
record NextState(
    Communicator ranks,
    SpaceAllocator space,
    FreeBlocks free,
    List<BlockImage> blocks,
    Map<ChunkKey, Optional<ChunkRecord>> before) {

  /** Creates the next state from a copy of the current state. */
  static NextState of(FileContext context) {
    return new NextState(
        context.ranks(),
        context.space().current().copy(),
        context.space().free().copy(),
        new ArrayList<>(),
        new TreeMap<>());
  }

  /** Adds this rank's share of the given blocks, which are equal on all ranks. */
  void addShare(List<BlockImage> common) {
    for (BlockImage block : common) {
      if (Long.remainderUnsigned(block.address() >>> 3, ranks.size()) == ranks.rank()) {
        blocks.add(block);
      }
    }
  }
}
