package io.skerry.collective.flush;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.core.ChunkCache;
import io.skerry.chunk.ChunkImage;
import io.skerry.collective.commit.Commit;
import io.skerry.collective.core.ChunkPublication;
import io.skerry.collective.core.ChunkPublication.Placed;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.MetadataSource;
import io.skerry.collective.heap.HeapSpace;
import io.skerry.collective.step.LocalStatus;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.block.Block;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.mpi.Reduction;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.CommitException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/**
 * Stores all dirty chunks and metadata of a file. {@link #run} calls the stages in their order:
 * encode, place, write, notify the index owners, rebuild the indexes, commit.
 *
 * <p>Until the commit begins, nothing on disk that a reader could reach has changed, and a failure
 * leaves every dirty chunk dirty, so that a later flush can succeed. New images are written to free
 * space; the blocks that they replace can be reused after the commit.
 */
public final class CollectiveFlush {
  private final FileContext context;
  private final MetadataSource metadata;
  private final Commit commit;
  private final ImplicitChunks implicit;
  private final HeapSpace heap;
  private final ChunkPublication publication;
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
    this.freedBlocks = new FreedBlocks(context);
    this.indexRebuild = new IndexRebuild(context);
  }

  /**
   * Returns true if any rank has a dirty chunk, an unpublished chunk, or unflushed changes of
   * variable-length contents. Collective.
   */
  public boolean anyDirty() {
    return context.ranks().allReduce(isDirtyHere() ? 1 : 0, Reduction.MAX) != 0;
  }

  private boolean isDirtyHere() {
    return context.cache().unstoredBytes() > 0
        || !context.unpublished().isEmpty()
        || heap.isDirty();
  }

  /** The part of the unflushed state of all ranks on which a flush depends. */
  private record Unflushed(boolean dirty, boolean independentWrites, boolean datasetChanged) {}

  /** The changes, as known to this rank, of the dataset that an operation is about to read. */
  private enum Changes {
    NONE,
    SOME
  }

  /**
   * Combines the state of all ranks. Collective.
   *
   * @param changes the changes of the dataset that is about to be read
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
   * @throws CollectiveException on all ranks if one of them failed before the commit; nothing is
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
   * Ensures that all ranks can read the elements of a dataset from the file. Stores all changes of
   * the file if the dataset has unflushed changes on any rank. Collective, within an operation that
   * all ranks have entered.
   *
   * @return true if all changes were stored
   * @throws CollectiveException on all ranks if one of them failed before the commit; nothing is
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
      List<Encoded> encoded = encode(status);
      sweep = heap.sweep(next.space(), next.free(), next.blocks(), status);
      Chunks chunks = place(encoded, next);
      publication.write(chunks.placed(), status);
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

  /** Makes bytes that were written in place durable. Collective. */
  private void sync(LocalStatus status) {
    if (context.changes().isUnsynced()) {
      context.file().sync(status);
      context.outcome().agree(status);
      context.changes().synced();
    }
  }

  /** An encoded chunk; without an image if the chunk is to be deleted. */
  private record Encoded(ChunkKey key, Optional<ChunkImage> image) {}

  /** Encodes the dirty chunks of this rank on the workers. Collective. */
  private List<Encoded> encode(LocalStatus status) {
    List<Callable<Encoded>> tasks = new ArrayList<>();
    for (ChunkKey key : context.cache().unstored().keySet()) {
      tasks.add(() -> new Encoded(key, context.cache().encode(key)));
    }
    List<Encoded> encoded = status.attempt(() -> context.workers().runAll(tasks), List.of());
    context.outcome().agree(status);
    return encoded;
  }

  /**
   * The chunks of this rank that a flush stores.
   *
   * @param placed images at new addresses
   * @param records the new records of chunks, including unpublished chunks; empty if a chunk is
   *     deleted or keeps its address
   * @param fixed images of chunks that keep their address
   */
  private record Chunks(
      Placed placed,
      Map<ChunkKey, Optional<ChunkRecord>> records,
      Map<ChunkKey, ChunkImage> fixed) {}

  /** Allocates addresses for the chunks that move, and frees their old blocks. Collective. */
  private Chunks place(List<Encoded> encoded, NextState next) {
    Map<ChunkKey, ChunkImage> fixed = new TreeMap<>();
    Map<ChunkKey, ChunkImage> moving = new LinkedHashMap<>();
    Map<ChunkKey, Optional<ChunkRecord>> records = new LinkedHashMap<>();
    long replacedBytes = next.free().bytes(Use.DATA);
    for (Encoded chunk : encoded) {
      if (chunk.image().isPresent()
          && context.directory().dataset(chunk.key().dataset()).hasFixedChunks()) {
        fixed.put(chunk.key(), chunk.image().get());
      } else {
        records.put(chunk.key(), Optional.empty());
        chunk.image().ifPresent(image -> moving.put(chunk.key(), image));
        replacedBytes += previous(chunk.key()).map(ChunkPublication::bytes).orElse(0L);
      }
    }
    Placed placed = publication.place(moving, replacedBytes, next.space());
    context.meter().allocates(placed.bytes());
    placed.unused().forEach(block -> next.free().free(Use.DATA, block));
    placed.records().forEach((key, record) -> records.put(key, Optional.of(record)));
    records.putAll(context.unpublished().all());
    for (ChunkKey key : records.keySet()) {
      previous(key)
          .ifPresent(old ->
              next.free().free(Use.DATA, new Block(old.address(), ChunkPublication.bytes(old))));
    }
    // The index owner is only notified of the change, since an implicit index has no records.
    fixed.keySet().forEach(key -> records.put(key, Optional.empty()));
    return new Chunks(placed, records, fixed);
  }

  private Optional<ChunkRecord> previous(ChunkKey key) {
    return context.previous().getOrDefault(key, Optional.empty());
  }

  private void notifyIndexOwners(Chunks chunks, NextState next, LocalStatus status) {
    publication.notifyIndexOwners(
        chunks.records(),
        key -> next.before().putIfAbsent(key, context.directory().record(key)),
        status);
  }

  /**
   * Adds the chunks that keep their address, which are replaced in the same way as metadata.
   * Collective.
   */
  private void addFixedChunks(
      Chunks chunks, Map<Long, ChunkIndex> indexes, NextState next, LocalStatus status) {
    implicit.fillNew(indexes, status);
    implicit.place(chunks.fixed(), indexes, next.blocks());
  }

  /** Adds this rank's share of the object headers that have changed. Local. */
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
   * Drops a state that was not committed. Its addresses are free, so the previous records are
   * restored.
   */
  private void undo(NextState next) {
    metadata.rolledBack();
    next.before().forEach(context.directory()::update);
  }

  private void publish(Map<Long, ChunkIndex> newIndexes, NextState next) {
    // The indexes come first, since no chunk may be looked up in an old index after the blocks of
    // that index can be reused.
    context
        .directory()
        .stored(id -> {
          ChunkIndex index = newIndexes.get(id);
          if (index != null) {
            context.directory().dataset(id).reindex(index);
          }
        });
    context.space().commit(next.space(), next.free());
    Set<ChunkKey> justStored = context.cache().unstored().keySet();
    // This comes before the chunks become clean, since a clean chunk may be evicted and must not be
    // loaded again from its old block.
    context.store().flushed();
    context.cache().allStored();
    // Copies of chunks that other ranks have rewritten are out of date.
    context.policy().afterFlush(context.cache(), newIndexes.keySet(), justStored);
    context.previous().clear();
    context.unpublished().clear();
    metadata.committed();
    context.directory().datasets().forEach(ChunkedDataset::stored);
    context.changes().synced();
    context.changes().stored();
  }
}
