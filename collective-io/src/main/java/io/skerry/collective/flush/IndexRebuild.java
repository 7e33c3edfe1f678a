package io.skerry.collective.flush;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.owner.TouchedLeaves;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.wire.Exchange;
import io.skerry.format.block.BlockImage;
import io.skerry.format.index.SingleChunkIndex;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.format.index.api.LinearIndex;
import io.skerry.format.index.api.TreeCommit;
import io.skerry.format.index.api.TreeIndex;
import io.skerry.parallel.CollectiveException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rebuilds the chunk indexes that a flush changes. Every rank computes the same new structure; the
 * index owners encode their leaves and trees, and the writing of the other blocks is distributed
 * among the ranks.
 */
final class IndexRebuild {
  private final FileContext context;

  IndexRebuild(FileContext context) {
    this.context = context;
  }

  /**
   * Rebuilds the indexes. Collective.
   *
   * @param next the next state, which receives the space allocations of the indexes and the blocks
   *     that this rank writes
   * @return the new indexes by dataset, equal on all ranks
   * @throws CollectiveException on all ranks if one of them failed
   */
  Map<Long, ChunkIndex> run(NextState next, LocalStatus status) {
    TouchedLeaves touched = announceTouched(status);
    context.outcome().agree(status);
    Map<Long, ChunkIndex> indexes = new HashMap<>();
    touched
        .datasets()
        .forEach(
            (id, changes) -> status.attempt(() -> indexes.put(id, rebuilt(id, changes, next))));
    context.outcome().agree(status);
    return indexes;
  }

  private TouchedLeaves announceTouched(LocalStatus status) {
    ByteWriter mine = ByteWriter.create();
    status.attempt(() -> context.directory().announceTouched(mine));
    Exchange.Inbox messages =
        Exchange.allGatherSparse(context.ranks(), mine, "touched index leaves");
    return status.attempt(
        () -> new TouchedLeaves(messages, context.directory()::dataset),
        new TouchedLeaves(List.of(), context.directory()::dataset));
  }

  private ChunkIndex rebuilt(long id, TouchedLeaves.Changes changes, NextState next) {
    return switch (context.directory().dataset(id).index()) {
      case SingleChunkIndex single -> single.withRecord(changes.single());
      case LinearIndex linear -> withLeaves(id, linear, changes, next);
      case TreeIndex tree -> {
        TreeCommit commit = tree.commit(changes.tree().orElseThrow(), next.space());
        if (context.directory().isIndexOwner(id, changes.leaves().first())) {
          next.blocks().addAll(context.directory().encodeTree(id, commit));
        }
        yield commit.index();
      }
    };
  }

  private ChunkIndex withLeaves(
      long id, LinearIndex index, TouchedLeaves.Changes changes, NextState next) {
    var result = index.commit(changes.leaves(), changes.positionsUsed(), next.space());
    result
        .leaves()
        .forEach((leaf, block) -> {
          if (context.directory().isIndexOwner(id, leaf)) {
            var records = context.directory().leafRecords(id, index, leaf);
            next.blocks()
                .add(
                    new BlockImage(
                        block.address(),
                        index.leafKind(),
                        result.index().encodeLeaf(leaf, records)));
          }
        });
    next.addShare(result.spine());
    return result.index();
  }
}
