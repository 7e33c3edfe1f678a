package io.skerry.collective.core;

import io.skerry.cache.api.ChunkKey;
import io.skerry.collective.alloc.FreeBlocks;
import io.skerry.collective.alloc.UnpublishedChunks;
import io.skerry.collective.commit.Commit;
import io.skerry.collective.live.LiveWriter;
import io.skerry.collective.step.LocalStatus;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.alloc.SpaceAllocator.Use;
import io.skerry.format.block.Block;
import java.util.List;
import java.util.Optional;

/**
 * Manages the space of a file between two flushes, including the free blocks that are recorded only
 * on this rank.
 */
public final class FileSpace {
  private final Commit commit;
  private final UnpublishedChunks unpublished;
  private final RankPolicy policy;
  private SpaceAllocator space;
  private FreeBlocks free = new FreeBlocks();

  public FileSpace(
      SpaceAllocator space, Commit commit, UnpublishedChunks unpublished, RankPolicy policy) {
    this.space = space;
    this.commit = commit;
    this.unpublished = unpublished;
    this.policy = policy;
  }

  /**
   * Returns the allocator for new objects between flushes. It has the same state on all ranks,
   * except for holes that are recorded on only one rank.
   *
   * @throws IllegalStateException if a commit failed and could not be undone. The next process that
   *     opens the file may complete that commit, which uses blocks that were free before it
   */
  public SpaceAllocator allocator() {
    if (commit.isInterrupted()) {
      throw new IllegalStateException("a commit of this file failed: nothing may be stored in it");
    }
    return space;
  }

  /** Returns the allocator, even after a failed commit, since a repeated flush uses it. */
  public SpaceAllocator current() {
    return space;
  }

  /** Returns the free blocks that are recorded only on this rank until the next flush. */
  public FreeBlocks free() {
    return free;
  }

  /**
   * Adopts an allocator from which a write has allocated space, together with the blocks that were
   * allocated to this rank but not used. Must be called on all ranks.
   */
  public void take(SpaceAllocator next, List<Block> unused) {
    space = next;
    unused.forEach(block -> free.free(Use.DATA, block));
  }

  /**
   * Adopts the space allocation that a flush has committed. Freed blocks that readers of earlier
   * epochs may need are held. Must be called on all ranks.
   */
  public void commit(SpaceAllocator next, FreeBlocks nextFree) {
    space = next;
    Optional<LiveWriter> live = commit.live();
    if (live.isPresent()) {
      space.holdFrees(live.get().newest());
      space.releaseHeld(live.get().oldest());
    } else {
      space.commitFrees();
    }
    free = nextFree;
  }

  /**
   * Saves the old content of a block for processes that follow the file, before parts of the block
   * are overwritten in place. Does nothing if no epoch refers to the block, or no process may
   * follow the file. Collective.
   *
   * @param whole the block, equal on all ranks
   * @param mine the parts of the block that this rank will overwrite
   * @throws io.skerry.parallel.CollectiveException on all ranks if one of them failed before or
   *     during this call; nothing may then be overwritten
   */
  public void saveForReaders(Block whole, List<Block> mine, LocalStatus status) {
    if (!space.isFresh(whole)) {
      commit.saveForReaders(mine, status);
    }
  }

  /**
   * Removes the unpublished record of a chunk that has a newer version or is deleted, and releases
   * its block. Does nothing if there is no such record. Local.
   */
  public void release(ChunkKey key) {
    unpublished
        .remove(key)
        .map(place -> new Block(place.address(), place.sections().size()))
        .ifPresent(block -> policy.release(block, space, free));
  }
}
