package io.skerry.collective.flush;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.core.ChunkCache;
import io.skerry.collective.commit.Commit;
import io.skerry.collective.core.ChunkPublication;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.MetadataSource;
import io.skerry.collective.heap.HeapSpace;
import io.skerry.collective.step.LocalStatus;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.mpi.Reduction;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.CommitException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Stores all dirty chunks and metadata of a file. {@link #run} calls the stages in this order:
 * encode, place, write, notify the index owners, rebuild the indexes, commit.
 *
 * <p>Until the commit begins, nothing in the file that a reader could reach has changed, and a
 * failure leaves every dirty chunk dirty, so that a later flush can succeed. New images are written
 * to free space, except with an implicit index; the blocks that they replace can be reused after
 * the commit.
 */
public final class CollectiveFlush {
  private final FileContext context;
  private final MetadataSource metadata;
  private final Commit commit;
  private final ImplicitChunks implicit;
  private final HeapSpace heap;
  private final ChunkPublication publication;
  private final DirtyChunks dirtyChunks;
  private final FreedBlocks freedBlocks;
  private final IndexRebuild indexRebuild;

  public CollectiveFlush(
      FileContext context, MetadataSource metadata, Commit commit, HeapSpace heap) {
    this.context = context;
    this.metadata = metadata;
    this.commit = commit;
    this.implicit = new ImplicitChunks(context);
    this.heap = heap;
    this.publication = new ChunkPublication(context);
    this.dirtyChunks = new DirtyChunks(context, publication);
    this.freedBlocks = new FreedBlocks(context);
    this.indexRebuild = new IndexRebuild(context);
  }

  /**
   * Returns true if any rank has a dirty chunk, an unpublished chunk, unflushed changes to
   * variable-length data, or values that were overwritten in place since the last epoch.
   * Collective.
   */
  public boolean anyDirty() {
    return context.ranks().allReduce(isDirtyHere() ? 1 : 0, Reduction.MAX) != 0;
  }

  private boolean isDirtyHere() {
    return context.chunks().unstoredBytes() > 0
        || !context.unpublished().isEmpty()
        || heap.isDirty()
        || commit.hasOverwritten();
  }

  /** The properties of the unflushed state on which a flush depends, combined over all ranks. */
  private record Unflushed(boolean dirty, boolean independentWrites, boolean datasetChanged) {}

  /** The unflushed changes to a dataset that are known to this rank. */
  private enum Changes {
    NONE,
    SOME
  }

  /**
   * Combines the unflushed state of all ranks. If any rank has written independently, a sync is
   * required as well, and the copies of stored chunks are dropped. Collective.
   *
   * @param changes the changes to the dataset that is about to be read; {@code NONE} for a plain
   *     flush
   */
  private Unflushed exchangeUnflushed(Changes changes) {
    boolean wrote = context.changes().takeIndependentWrite();
    long[] mine = {isDirtyHere() ? 1 : 0, wrote ? 1 : 0, changes.ordinal()};
    long[] any = context.ranks().allReduce(mine, Reduction.MAX);
    Unflushed unflushed = new Unflushed(any[0] != 0, any[1] != 0, any[2] != 0);
    if (unflushed.independentWrites()) {
      context.changes().requireSync();
      context.forgetStoredCopies();
    }
    return unflushed;
  }

  /**
   * Stores all changes. Collective, within an operation that all ranks have entered.
   *
   * @throws CollectiveException on all ranks if one of them failed before the commit; no data is
   *     lost
   * @throws CommitException on all ranks if the commit itself failed
   */
  public void run(LocalStatus status) {
    Unflushed unflushed = exchangeUnflushed(Changes.NONE);
    if (isEverythingStored(unflushed)) {
      noteEverythingStored(status);
    } else {
      store(status);
    }
  }

  /**
   * Ensures that all ranks can read the elements of a dataset from the file. Stores all changes to
   * the file if the dataset has unflushed changes on any rank. Collective, within an operation that
   * all ranks have entered.
   *
   * @return true if this call stored changes; false if that was not necessary
   * @throws CollectiveException on all ranks if one of them failed before the commit; no data is
   *     lost
   * @throws CommitException on all ranks if the commit itself failed
   */
  public boolean runIfChanged(ChunkedDataset dataset, LocalStatus status) {
    Unflushed unflushed = exchangeUnflushed(dataset.isChanged() ? Changes.SOME : Changes.NONE);
    if (isEverythingStored(unflushed)) {
      noteEverythingStored(status);
      return false;
    }
    if (unflushed.datasetChanged()) {
      store(status);
      return true;
    }
    // The sync makes the bytes of independent writes visible to the other ranks.
    sync(status);
    return false;
  }

  private void store(LocalStatus status) {
    context.policy().beforeFlush(context, status);
    NextState next = NextState.of(context);
    HeapSpace.Sweep sweep;
    try {
      List<DirtyChunks.Encoded> encoded = dirtyChunks.encode(status);
      sweep = heap.sweep(next.space(), next.free(), next.blocks(), status);
      DirtyChunks.Placed chunks = dirtyChunks.place(encoded, next);
      publication.write(chunks.moved(), status);
      notifyIndexOwners(chunks, next, status);
      freedBlocks.announce(next, status);
      Map<Long, ChunkIndex> indexes = indexRebuild.run(next, status);
      addFixedChunks(chunks, indexes, next, status);
      addMetadata(indexes, next, status);
      commit(indexes, next, status);
    } catch (RuntimeException e) {
      undo(next);
      throw e;
    }
    heap.swept(sweep);
  }

  private boolean isEverythingStored(Unflushed unflushed) {
    return !metadata.isDirty() && !unflushed.dirty();
  }

  private void noteEverythingStored(LocalStatus status) {
    sync(status);
    context.changes().stored();
    context.changes().storeAll(context.directory().datasets());
  }

  /** Syncs to disk the bytes that were written before the flush. Collective. */
  private void sync(LocalStatus status) {
    if (context.changes().isUnsynced()) {
      context.file().sync(status);
      context.outcome().agree(status);
      context.changes().synced();
    }
  }

  private void notifyIndexOwners(DirtyChunks.Placed chunks, NextState next, LocalStatus status) {
    publication.notifyIndexOwners(
        chunks.records(),
        key -> next.before().putIfAbsent(key, context.directory().record(key)),
        status);
  }

  /**
   * Fills the new space of implicit indexes, and adds the chunks at fixed addresses to the blocks
   * that the commit replaces. Collective.
   */
  private void addFixedChunks(
      DirtyChunks.Placed chunks,
      Map<Long, ChunkIndex> indexes,
      NextState next,
      LocalStatus status) {
    implicit.fillNew(indexes, status);
    implicit.place(chunks.fixed(), indexes, next.blocks());
  }

  /** Adds this rank's share of the changed metadata blocks. Local. */
  private void addMetadata(Map<Long, ChunkIndex> indexes, NextState next, LocalStatus status) {
    status.attempt(() -> next.addShare(metadata.changedBlocks(indexes, next.space())));
  }

  /**
   * Makes the next state the current one, in the file and in memory. Independent reads on this rank
   * must end first, since the commit may replace the blocks that they read. Collective.
   */
  private void commit(Map<Long, ChunkIndex> indexes, NextState next, LocalStatus status) {
    Optional<ChunkCache.Quiesced> quiet = context.quiescence().quiesceReads(status);
    try {
      context.outcome().agree(status);
      long end = next.space().endOfFile();
      commit.run(next.blocks(), metadata.superblock(end), end, status);
      publish(indexes, next);
    } finally {
      quiet.ifPresent(ChunkCache.Quiesced::close);
    }
  }

  /**
   * Drops a state that was not committed, and restores the previous records. The space of the new
   * images remains free.
   */
  private void undo(NextState next) {
    metadata.rolledBack();
    next.before().forEach(context.directory()::update);
  }

  private void publish(Map<Long, ChunkIndex> newIndexes, NextState next) {
    // The indexes are replaced first, since no chunk may be looked up in an old index after
    // the blocks of that index can be reused.
    context
        .directory()
        .stored(id -> {
          ChunkIndex index = newIndexes.get(id);
          if (index != null) {
            context.directory().dataset(id).reindex(index);
          }
        });
    context.space().commit(next.space(), next.free());
    Set<ChunkKey> justStored = context.chunks().unstored().keySet();
    // The store drops its records before the chunks become clean, since a clean chunk may be
    // evicted and must not be loaded again from its old block.
    context.store().flushed();
    context.chunks().allStored();
    // Copies of chunks that other ranks have rewritten are out of date.
    context.policy().afterFlush(context.chunks(), newIndexes.keySet(), justStored);
    context.previous().clear();
    context.unpublished().clear();
    metadata.committed();
    context.directory().datasets().forEach(ChunkedDataset::stored);
    context.changes().synced();
    context.changes().stored();
  }
}
