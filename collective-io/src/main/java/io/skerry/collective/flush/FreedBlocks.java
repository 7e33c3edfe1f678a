package io.skerry.collective.flush;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.wire.Exchange;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.block.Block;
import io.skerry.parallel.CollectiveException;

/** Announces to all ranks the blocks that become free with a commit. */
final class FreedBlocks {
  /**
   * The maximum number of blocks that all ranks together announce in a flush, except that each rank
   * may announce at least one. The bound keeps the number of bytes that a rank receives nearly
   * independent of the number of ranks.
   */
  private static final int ANNOUNCED = 1 << 14;

  private final FileContext context;

  FreedBlocks(FileContext context) {
    this.context = context;
  }

  /**
   * Announces blocks, which all ranks then free in the same way. A block that is not announced is
   * free on this rank only. Collective.
   *
   * @throws CollectiveException on all ranks if one of them failed before or during the collection
   *     of its blocks
   */
  void announce(NextState next, LocalStatus status) {
    ByteWriter mine = ByteWriter.create();
    status.attempt(() -> collect(next, mine));
    if (context.outcome().agree(status, mine.position())[0] == 0) {
      return;
    }
    for (ByteReader message : Exchange.allGatherSparse(context.ranks(), mine, "freed blocks")) {
      status.attempt(() -> {
        while (message.remaining() > 0) {
          Use use = Use.values()[message.u8()];
          next.space().freeStored(use, new Block(message.i64(), message.i64()));
        }
      });
    }
  }

  /**
   * Collects the blocks that this rank announces, up to its share of the bound: newly freed blocks,
   * and then holes that are recorded only on this rank. The other newly freed blocks become such
   * holes.
   */
  private void collect(NextState next, ByteWriter message) {
    int left = Math.max(1, ANNOUNCED / context.ranks().size());
    for (Use use : Use.values()) {
      for (Block block : next.free().drain(use, left)) {
        write(use, block, message);
        left--;
      }
    }
    for (Use use : Use.values()) {
      for (Block hole : next.space().holesHere(use)) {
        if (left > 0) {
          next.space().forgetHere(use, hole);
          write(use, hole, message);
          left--;
        }
      }
      for (Block block : next.free().drain(use, Integer.MAX_VALUE)) {
        next.space().freeHere(use, block);
      }
    }
  }

  private static void write(Use use, Block block, ByteWriter message) {
    message.u8(use.ordinal()).u64(block.address()).u64(block.length());
  }
}
