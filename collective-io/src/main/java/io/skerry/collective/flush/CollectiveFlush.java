package io.skerry.collective.flush;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.core.ChunkCache;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.alloc.FreeBlocks;
import io.skerry.collective.alloc.Placement;
import io.skerry.collective.commit.Commit;
import io.skerry.collective.core.ChunkImageWriter;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.MetadataSource;
import io.skerry.collective.heap.HeapSpace;
import io.skerry.collective.owner.TouchedLeaves;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.wire.Exchange;
import io.skerry.collective.wire.RecordMessage;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.index.SingleChunkIndex;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.format.index.api.LinearIndex;
import io.skerry.format.index.api.TreeCommit;
import io.skerry.format.index.api.TreeIndex;
import io.skerry.mpi.Reduction;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.CommitException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/**
 * Stores all dirty chunks and metadata of a file: encode, place, write, index, commit.
 *
 * <p>Until the commit begins nothing on disk that a reader could reach has changed, and a failure
 * leaves every dirty chunk dirty, so that a later flush can succeed. New images go to free space;
 * the blocks they replace become reusable after the commit.
 */
public final class CollectiveFlush {
  /**
   * Freed blocks that all ranks together tell each other of in one flush, or one of each rank: what
   * a rank hears must not grow with the number of ranks.
   */
  private static final int ANNOUNCED_FREES = 1 << 14;

  private final FileContext session;
  private final MetadataSource metadata;
  private final Commit commit;
  private final ImplicitChunks implicit;
  private final HeapSpace heap;

  public CollectiveFlush(
      FileContext session, MetadataSource metadata, Commit commit, HeapSpace heap) {
    this.session = session;
    this.metadata = metadata;
    this.commit = commit;
    this.implicit = new ImplicitChunks(session);
    this.heap = heap;
  }

  /** Contents of variable length. */
  public HeapSpace heap() {
    return heap;
  }

  /**
   * Returns whether any rank has a dirty chunk, one that only it knows the place of, or contents of
   * the heap that came or go. Collective.
   */
  public boolean anyDirty() {
    return session.ranks().allReduce(isDirtyHere() ? 1 : 0, Reduction.MAX) != 0;
  }

  private boolean isDirtyHere() {
    return session.cache().unstoredBytes() > 0 || !session.ahead().isEmpty() || heap.isDirty();
  }

  /** What any of the ranks has to say before a flush. */
  private record News(boolean dirty, boolean lone) {}

  private News exchangeNews() {
    boolean wrote = session.changes().takeIndependentWrite();
    long[] any =
        session.ranks().allReduce(new long[] {isDirtyHere() ? 1 : 0, wrote ? 1 : 0}, Reduction.MAX);
    return new News(any[0] != 0, any[1] != 0);
  }

  /** One encoded chunk; no image if the chunk is to be deleted. */
  private record Encoded(ChunkKey key, Optional<ChunkImage> image) {}

  /**
   * Collective, within an operation that all ranks have entered.
   *
   * @throws CollectiveException on all ranks if one failed before the commit; nothing is lost
   * @throws CommitException on all ranks if the commit itself broke
   */
  public void run(LocalStatus status) {
    News news = exchangeNews();
    if (news.lone()) {
      session.changes().requireSync();
      session.forgetStoredCopies();
    }
    if (!metadata.isDirty() && !news.dirty()) {
      if (session.changes().isUnsynced()) {
        session.file().sync(status);
        session.outcome().agree(status);
        session.changes().synced();
      }
      session.changes().stored();
      session.changes().storeAll(session.directory().datasets());
      return;
    }
    session.policy().beforeFlush(session, status);
    SpaceAllocator nextSpace = session.space().current().copy();
    FreeBlocks nextFree = session.space().free().copy();
    Map<Long, ChunkIndex> newIndexes;
    HeapSpace.Sweep sweep;
    Map<ChunkKey, Optional<ChunkRecord>> before = new TreeMap<>();
    try {
      List<Encoded> encoded = encode(status);
      session.outcome().agree(status);
      List<BlockImage> mine = new ArrayList<>();
      sweep = heap.sweep(nextSpace, nextFree, mine, status);
      Map<ChunkKey, ChunkImage> fixed = storeChunks(encoded, nextSpace, nextFree, before, status);
      announceFrees(nextSpace, nextFree, status);
      TouchedLeaves touched = announceTouched(status);
      session.outcome().agree(status);
      newIndexes = commitIndexes(touched, nextSpace, mine, status);
      session.outcome().agree(status);
      implicit.fillNew(newIndexes, status);
      implicit.place(fixed, newIndexes, mine);
      addMetadata(newIndexes, nextSpace, mine, status);
      commit(mine, newIndexes, nextSpace, nextFree, status);
    } catch (RuntimeException e) {
      metadata.rolledBack();
      // The places that were chosen are free again: nobody may look for a chunk there.
      before.forEach(session.directory()::update);
      throw e;
    }
    heap.swept(sweep);
  }

  /**
   * Puts everything in force. IndependentReader reads of this rank end before; what they use is
   * replaced.
   */
  private void commit(
      List<BlockImage> mine,
      Map<Long, ChunkIndex> newIndexes,
      SpaceAllocator nextSpace,
      FreeBlocks nextFree,
      LocalStatus status) {
    Optional<ChunkCache.Quiesced> quiet = session.quiescence().quiesceReads(status);
    try {
      session.outcome().agree(status);
      commit.run(mine, metadata.superblock(nextSpace.endOfFile()), nextSpace.endOfFile(), status);
      publish(newIndexes, nextSpace, nextFree);
    } finally {
      quiet.ifPresent(ChunkCache.Quiesced::close);
    }
  }

  private List<Encoded> encode(LocalStatus status) {
    List<Callable<Encoded>> tasks = new ArrayList<>();
    for (ChunkKey key : session.cache().unstored().keySet()) {
      tasks.add(() -> new Encoded(key, session.cache().encode(key)));
    }
    return status.attempt(() -> session.workers().runAll(tasks), List.of());
  }

  /**
   * Places and writes the images that may go anywhere, and tells the homes.
   *
   * @param before takes what this rank, as their home, knew of the chunks that it was told of
   * @return the images that have their place
   */
  private Map<ChunkKey, ChunkImage> storeChunks(
      List<Encoded> encoded,
      SpaceAllocator nextSpace,
      FreeBlocks nextFree,
      Map<ChunkKey, Optional<ChunkRecord>> before,
      LocalStatus status) {
    Map<ChunkKey, ChunkImage> fixed = new TreeMap<>();
    List<Encoded> moving = new ArrayList<>();
    for (Encoded chunk : encoded) {
      if (chunk.image().isPresent()
          && session.directory().dataset(chunk.key().dataset()).hasFixedChunks()) {
        fixed.put(chunk.key(), chunk.image().get());
      } else {
        moving.add(chunk);
      }
    }
    long[] sizes = moving.stream().mapToLong(chunk -> size(chunk.image())).toArray();
    // A tombstone takes no room, and no zero-length block may be placed.
    long[] needed = Arrays.stream(sizes).filter(size -> size > 0).toArray();
    Placement placement =
        Placement.of(
            session.ranks(),
            Use.DATA,
            needed,
            replacedBytes(moving) + nextFree.bytes(Use.DATA),
            nextSpace);
    session.meter().allocates(Arrays.stream(needed).sum());
    placement.unused().forEach(block -> nextFree.free(Use.DATA, block));
    TreeMap<Long, ChunkImage> byAddress = new TreeMap<>();
    Exchange.Outbox records = new Exchange.Outbox();
    int next = 0;
    for (Encoded chunk : moving) {
      Optional<ChunkRecord> record = Optional.empty();
      if (chunk.image().isPresent()) {
        long address = placement.addresses()[next++];
        byAddress.put(address, chunk.image().get());
        record = Optional.of(new ChunkRecord(address, chunk.image().get().sections()));
      }
      tell(chunk.key(), record, records, nextFree);
    }
    session.ahead().all().forEach((key, place) -> tell(key, place, records, nextFree));
    for (ChunkKey key : fixed.keySet()) {
      // Only so that the home knows of the change.
      ByteWriter letter = records.to(session.directory().indexOwnerOf(key));
      key.encode(letter);
      RecordMessage.write(Optional.empty(), letter);
    }
    new ChunkImageWriter(session).write(byAddress, status);
    for (ByteReader letter : Exchange.deliver(session.ranks(), records, "chunk records")) {
      status.attempt(() -> {
        while (letter.remaining() > 0) {
          ChunkKey key = ChunkKey.decode(letter);
          before.putIfAbsent(key, session.directory().record(key));
          session.directory().update(key, RecordMessage.read(letter));
        }
      });
    }
    return fixed;
  }

  /** Tells the home of a chunk where it is now, and frees where it was. */
  private void tell(
      ChunkKey key, Optional<ChunkRecord> record, Exchange.Outbox records, FreeBlocks nextFree) {
    ByteWriter letter = records.to(session.directory().indexOwnerOf(key));
    key.encode(letter);
    RecordMessage.write(record, letter);
    session
        .stored()
        .getOrDefault(key, Optional.empty())
        .ifPresent(old -> nextFree.free(Use.DATA, new Block(old.address(), old.sections().size())));
  }

  private long replacedBytes(List<Encoded> encoded) {
    long bytes = 0;
    for (Encoded chunk : encoded) {
      Optional<ChunkRecord> old = session.stored().getOrDefault(chunk.key(), Optional.empty());
      bytes += old.map(record -> record.sections().size()).orElse(0L);
    }
    return bytes;
  }

  /**
   * Every rank learns which blocks the commit will free, and frees them in the same way, as long as
   * they are not too many for all to hear of. What a rank does not tell stays its own, for what it
   * stores next.
   */
  private void announceFrees(SpaceAllocator nextSpace, FreeBlocks nextFree, LocalStatus status) {
    ByteWriter mine = ByteWriter.create();
    status.attempt(() -> {
      int left = Math.max(1, ANNOUNCED_FREES / session.ranks().size());
      for (Use use : Use.values()) {
        for (Block block : nextFree.drain(use, left)) {
          tellFree(use, block, mine);
          left--;
        }
      }
      for (Use use : Use.values()) {
        for (Block hole : nextSpace.holesHere(use)) {
          if (left > 0) {
            nextSpace.forgetHere(use, hole);
            tellFree(use, hole, mine);
            left--;
          }
        }
        // Nothing is placed between here and the commit.
        for (Block block : nextFree.drain(use, Integer.MAX_VALUE)) {
          nextSpace.freeHere(use, block);
        }
      }
    });
    if (session.outcome().agree(status, mine.position())[0] == 0) {
      return;
    }
    for (ByteReader letter : Exchange.allGatherSparse(session.ranks(), mine, "freed blocks")) {
      status.attempt(() -> {
        while (letter.remaining() > 0) {
          Use use = Use.values()[letter.u8()];
          nextSpace.freeStored(use, new Block(letter.i64(), letter.i64()));
        }
      });
    }
  }

  private static void tellFree(Use use, Block block, ByteWriter letter) {
    letter.u8(use.ordinal()).u64(block.address()).u64(block.length());
  }

  private static long size(Optional<ChunkImage> image) {
    return image.map(i -> i.bytes().byteSize()).orElse(0L);
  }

  private TouchedLeaves announceTouched(LocalStatus status) {
    ByteWriter mine = ByteWriter.create();
    status.attempt(() -> session.directory().announceTouched(mine));
    Exchange.Inbox letters =
        Exchange.allGatherSparse(session.ranks(), mine, "touched index leaves");
    return status.attempt(
        () -> new TouchedLeaves(letters, session.directory()::dataset),
        new TouchedLeaves(List.of(), session.directory()::dataset));
  }

  /** Every rank computes the same new spines; homes encode their leaves, spine blocks are dealt. */
  private Map<Long, ChunkIndex> commitIndexes(
      TouchedLeaves touched, SpaceAllocator nextSpace, List<BlockImage> mine, LocalStatus status) {
    Map<Long, ChunkIndex> indexes = new HashMap<>();
    touched
        .datasets()
        .forEach((id, changes) ->
            status.attempt(() -> indexes.put(id, commitIndex(id, changes, nextSpace, mine))));
    return indexes;
  }

  private ChunkIndex commitIndex(
      long id, TouchedLeaves.Changes changes, SpaceAllocator nextSpace, List<BlockImage> mine) {
    return switch (session.directory().dataset(id).index()) {
      case SingleChunkIndex single -> single.withRecord(changes.single());
      case LinearIndex linear -> commitLeaves(id, linear, changes, nextSpace, mine);
      case TreeIndex tree -> {
        TreeCommit commit = tree.commit(changes.tree().orElseThrow(), nextSpace);
        if (session.directory().isIndexOwner(id, changes.leaves().first())) {
          mine.addAll(session.directory().encodeTree(id, commit));
        }
        yield commit.index();
      }
    };
  }

  private ChunkIndex commitLeaves(
      long id,
      LinearIndex index,
      TouchedLeaves.Changes changes,
      SpaceAllocator nextSpace,
      List<BlockImage> mine) {
    var result = index.commit(changes.leaves(), changes.positionsUsed(), nextSpace);
    result
        .leaves()
        .forEach((leaf, block) -> {
          if (session.directory().isIndexOwner(id, leaf)) {
            var records = session.directory().leafRecords(id, index, leaf);
            mine.add(
                new BlockImage(
                    block.address(), index.leafKind(), result.index().encodeLeaf(leaf, records)));
          }
        });
    deal(result.spine(), mine);
    return result.index();
  }

  private void addMetadata(
      Map<Long, ChunkIndex> newIndexes,
      SpaceAllocator nextSpace,
      List<BlockImage> mine,
      LocalStatus status) {
    status.attempt(() -> deal(metadata.changedBlocks(newIndexes, nextSpace), mine));
  }

  /** Every rank has the same list; each takes the blocks that fall to it. */
  private void deal(List<BlockImage> blocks, List<BlockImage> mine) {
    for (BlockImage block : blocks) {
      if (Long.remainderUnsigned(block.address() >>> 3, session.ranks().size())
          == session.ranks().rank()) {
        mine.add(block);
      }
    }
  }

  private void publish(
      Map<Long, ChunkIndex> newIndexes, SpaceAllocator nextSpace, FreeBlocks nextFree) {
    // Nobody may look for a chunk by the old index when its blocks can be taken by others.
    session
        .directory()
        .stored(id -> {
          ChunkIndex index = newIndexes.get(id);
          if (index != null) {
            session.directory().dataset(id).reindex(index);
          }
        });
    session.space().commit(nextSpace, nextFree);
    Set<ChunkKey> justStored = session.cache().unstored().keySet();
    // First, lest one that is evicted as soon as it may be be read ahead from its old place.
    session.store().flushed();
    session.cache().allStored();
    // The datasets' epoch rises: copies of chunks that other ranks have rewritten are stale.
    session.policy().afterFlush(session.cache(), newIndexes.keySet(), justStored);
    session.stored().clear();
    session.ahead().clear();
    metadata.committed();
    session.directory().datasets().forEach(ChunkedDataset::stored);
    session.changes().synced();
    session.changes().stored();
  }
}
