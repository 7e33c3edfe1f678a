package io.skerry.format.alloc;

import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import java.util.EnumMap;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Allocates the space of one file. Keeps the free extents ("holes") and the end of file in memory.
 * The allocator is deterministic: the same calls on identical allocators return the same addresses,
 * so every rank can keep its own copy. The strategy is best fit: a block is allocated in the
 * smallest hole that is large enough, at the lowest address if several holes have that size, or at
 * the end of file if there is no such hole. {@link #takeAtEnd} never uses holes.
 *
 * <p>Space is reused for the kind of content that it contained before, as in HDF5. Metadata blocks
 * have recurring sizes and often fit freed metadata space exactly; chunks of varying sizes would
 * fragment that space. Before the file grows, a metadata block that fits into no metadata hole may
 * be allocated in a small part of a large data hole. If a single block is allocated at the end of
 * file although the free space of its kind exceeds half the size of the block, the file also grows
 * by some slack after the block, since the next block may be larger. The slack becomes a hole, so
 * blocks that are rewritten repeatedly soon fit into a hole.
 *
 * <p>The last commit, the state of the file after the last completed flush, may still refer to a
 * freed block, so the block becomes reusable only after {@link #commitFrees}, or, if readers of
 * earlier epochs may still need it, after {@link #holdFrees} and {@link #releaseHeld}. No commit
 * refers to space that was allocated since the last commit, so that space becomes a hole as soon as
 * it is freed.
 *
 * <p>A rank may also have holes of its own ({@link #freeHere}), from which only that rank
 * allocates. They are not part of the state that is equal on all ranks.
 *
 * <p>Thread-safe; local.
 */
// Longer than other classes: one allocator, whose parts share their state and their lock.
public final class SpaceAllocator {
  /**
   * The minimum ratio of the size of a data hole to that of a metadata block that is allocated in
   * it, so that most of the hole remains for data.
   */
  private static final long LARGE = 16;

  private static final long LEAST_SLACK = 1024;
  private static final long MOST_SLACK = 64 << 10;

  private EnumMap<Use, Pool> pools;

  /** Free space that only this rank uses; all other ranks count it as allocated. */
  private EnumMap<Use, Pool> here;

  private FreeExtents fresh;
  private long end;

  /** Size of a stripe in bytes; {@code phase} is the offset of the base address in its stripe. */
  private long stripe = 1;

  private long phase;

  /** The kinds of content for which space is allocated. */
  public enum Use {
    /** Object headers, indexes and other metadata. */
    METADATA,
    /** Chunks and contiguous data. */
    DATA,
    /** Global heap collections. */
    HEAP
  }

  /**
   * Free space of one kind.
   *
   * @param holes the extents that may be allocated
   * @param pending the extents that may be allocated after the next commit
   * @param held the extents that may be allocated when no reader needs an earlier epoch, by the
   *     epoch that no longer refers to them
   */
  private record Pool(FreeExtents holes, FreeExtents pending, TreeMap<Long, FreeExtents> held) {
    static Pool empty() {
      return new Pool(FreeExtents.none(), FreeExtents.none(), new TreeMap<>());
    }

    Pool copy() {
      TreeMap<Long, FreeExtents> copies = new TreeMap<>();
      held.forEach((epoch, extents) -> copies.put(epoch, extents.copy()));
      return new Pool(holes.copy(), pending.copy(), copies);
    }

    boolean overlaps(Block block) {
      return holes.overlaps(block)
          || pending.overlaps(block)
          || held.values().stream().anyMatch(extents -> extents.overlaps(block));
    }

    long bytes() {
      return holes.bytes() + pending.bytes() + heldBytes();
    }

    long heldBytes() {
      return held.values().stream().mapToLong(FreeExtents::bytes).sum();
    }

    void commit() {
      pending.list().forEach(holes::add);
      pending.clear();
    }

    void hold(long epoch) {
      FreeExtents extents = held.computeIfAbsent(epoch, _ -> FreeExtents.none());
      pending.list().forEach(extents::add);
      pending.clear();
    }

    void release(long epoch) {
      NavigableMap<Long, FreeExtents> released = held.headMap(epoch, true);
      released.values().forEach(extents -> extents.list().forEach(holes::add));
      released.clear();
    }
  }

  private SpaceAllocator(
      EnumMap<Use, Pool> pools, EnumMap<Use, Pool> here, FreeExtents fresh, long end) {
    this.pools = pools;
    this.here = here;
    this.fresh = fresh;
    this.end = end;
  }

  /**
   * Creates an allocator without holes for a file.
   *
   * @param endOfFile the address of the first byte after all allocated space, relative to the base
   *     address
   * @throws IllegalArgumentException if the address is negative
   */
  public static SpaceAllocator startingAt(long endOfFile) {
    if (endOfFile < 0) {
      throw new IllegalArgumentException("negative end of file: endOfFile=" + endOfFile);
    }
    EnumMap<Use, Pool> pools = new EnumMap<>(Use.class);
    EnumMap<Use, Pool> here = new EnumMap<>(Use.class);
    for (Use use : Use.values()) {
      pools.put(use, Pool.empty());
      here.put(use, Pool.empty());
    }
    return new SpaceAllocator(pools, here, FreeExtents.none(), endOfFile);
  }

  /** Returns an independent allocator in the same state. */
  public synchronized SpaceAllocator copy() {
    SpaceAllocator copy = new SpaceAllocator(copy(pools), copy(here), fresh.copy(), end);
    copy.stripe = stripe;
    copy.phase = phase;
    return copy;
  }

  private static EnumMap<Use, Pool> copy(EnumMap<Use, Pool> pools) {
    EnumMap<Use, Pool> copies = new EnumMap<>(Use.class);
    pools.forEach((use, pool) -> copies.put(use, pool.copy()));
    return copies;
  }

  /**
   * Sets this allocator to the state of another allocator, except for the alignment to stripes. The
   * two allocators remain independent.
   */
  public void resetTo(SpaceAllocator other) {
    SpaceAllocator state = other.copy();
    synchronized (this) {
      pools = state.pools;
      here = state.here;
      fresh = state.fresh;
      end = state.end;
    }
  }

  private Pool pool(Use use) {
    return Objects.requireNonNull(pools.get(use));
  }

  /**
   * Allocates a metadata block in the smallest metadata hole that is large enough, otherwise in a
   * large data hole, otherwise at the end of file.
   *
   * @param bytes the size, at least 1
   * @return the address of the block
   * @throws IllegalArgumentException if {@code bytes} is not positive
   * @throws FormatException if the file would exceed 2^63 - 1 bytes
   */
  public synchronized long allocate(long bytes) {
    return allocateBlock(bytes).address();
  }

  /** Like {@link #allocate}, but returns the block instead of its address. */
  public synchronized Block allocateBlock(long bytes) {
    checkLength(bytes);
    return inHole(Use.METADATA, bytes, bytes)
        .or(() -> bytes > end / LARGE ? Optional.empty() : inHole(Use.DATA, bytes, bytes * LARGE))
        .orElseGet(() -> atEnd(Use.METADATA, bytes, Math.max(bytes, LEAST_SLACK)));
  }

  /**
   * Allocates a data block in the smallest sufficiently large data hole, otherwise at the end of
   * file. At the end of file, a block of at least one stripe starts at a stripe boundary.
   *
   * @param bytes the size, at least 1
   * @throws IllegalArgumentException if {@code bytes} is not positive
   * @throws FormatException if the file would exceed 2^63 - 1 bytes
   */
  public synchronized Block allocateData(long bytes) {
    checkLength(bytes);
    long slack = Math.max(LEAST_SLACK, Math.min(bytes / 2, MOST_SLACK));
    return inHole(Use.DATA, bytes, bytes)
        .orElseGet(() -> {
          align(Use.DATA, bytes);
          return atEnd(Use.DATA, bytes, slack);
        });
  }

  /**
   * Aligns allocations of at least one stripe by {@link #takeAtEnd}, and by {@link #allocateData}
   * at the end of file, to the stripes of the file system.
   *
   * @param bytes the size of a stripe in bytes; 1 for no alignment
   * @param base the position of address 0 in the file, in bytes
   * @throws IllegalArgumentException if {@code bytes} is less than 1, or {@code base} is negative
   */
  public synchronized void beginAtStripes(long bytes, long base) {
    if (bytes < 1 || base < 0) {
      throw new IllegalArgumentException("no stripes: bytes=" + bytes + " base=" + base);
    }
    stripe = bytes;
    phase = base % bytes;
  }

  /**
   * Allocates space for many blocks at the end of file. An allocation of at least one stripe starts
   * at a stripe boundary. A gap that the alignment leaves becomes free space of the same use.
   *
   * @param use the kind of content
   * @param bytes the total size of the blocks in bytes, 0 or more
   * @return the address of the first byte
   */
  public synchronized long takeAtEnd(Use use, long bytes) {
    align(use, bytes);
    long start = end;
    raiseEnd(end + bytes);
    return start;
  }

  /** Raises the end of file to a stripe boundary before an allocation of at least one stripe. */
  private void align(Use use, long bytes) {
    long before = bytes < stripe ? 0 : (stripe - (end + phase) % stripe) % stripe;
    if (before > 0) {
      Block gap = new Block(end, before);
      raiseEnd(gap.end());
      free(use, gap);
    }
  }

  private static void checkLength(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("empty block: bytes=" + bytes);
    }
  }

  private Optional<Block> inHole(Use use, long bytes, long least) {
    Optional<Block> found =
        pool(use).holes.smallest(least).map(hole -> new Block(hole.address(), bytes));
    found.ifPresent(block -> take(use, block));
    return found;
  }

  private Block atEnd(Use use, long bytes, long slack) {
    Block block = new Block(end, bytes);
    raiseEnd(block.end());
    if (pool(use).bytes() > bytes / 2) {
      Block more = new Block(end, slack);
      raiseEnd(more.end());
      free(use, more);
    }
    return block;
  }

  /**
   * Allocates a given block inside a hole.
   *
   * @throws IllegalArgumentException if the block is not entirely within one hole of that use
   */
  public synchronized void take(Use use, Block block) {
    if (!pool(use).holes.contains(block)) {
      throw new IllegalArgumentException("not within a hole: block=" + block);
    }
    List<Block> unused = pool(use).holes.take(block);
    fresh.add(block);
  }

  /**
   * Frees a block. It is reusable after {@link #commitFrees}, or immediately if it was allocated
   * since the last commit.
   *
   * @throws IllegalArgumentException if part of it is already free or beyond the end of file
   */
  public synchronized void free(Use use, Block block) {
    if (!isTaken(block)) {
      throw new IllegalArgumentException("freed twice or never allocated: block=" + block);
    }
    giveBack(use, block);
  }

  /** Like {@link #free(Use, Block)}, for a metadata block. */
  public synchronized void free(Block block) {
    free(Use.METADATA, block);
  }

  /** Like {@link #free(Use, Block)}, for a metadata block. */
  public synchronized void free(long address, long bytes) {
    free(new Block(address, bytes));
  }

  /**
   * Frees a block whose extent was read from the file and may therefore be wrong.
   *
   * @throws FormatException if part of it is already free or beyond the end of file
   */
  public synchronized void freeStored(Use use, Block block) {
    if (!isTaken(block)) {
      throw notTaken(block);
    }
    giveBack(use, block);
  }

  private FormatException notTaken(Block block) {
    return new FormatException(
        "space to give back",
        "taken once, below the end of file 0x" + Long.toHexString(end),
        block);
  }

  /** Like {@link #freeStored(Use, Block)}, for a metadata block. */
  public synchronized void freeStored(Block block) {
    freeStored(Use.METADATA, block);
  }

  /**
   * Returns whether a block is below the end of file and no part of it is free. Holes that only
   * this rank uses do not count as free.
   */
  public synchronized boolean isTaken(Block block) {
    return block.end() <= end && pools.values().stream().noneMatch(pool -> pool.overlaps(block));
  }

  /** Returns whether a block was allocated since the last commit, which does not refer to it. */
  public synchronized boolean isFresh(Block block) {
    return fresh.contains(block);
  }

  private void giveBack(Use use, Block block) {
    Pool pool = pool(use);
    List<Block> neverCommitted = fresh.take(block);
    pool.pending.add(block);
    for (Block part : neverCommitted) {
      List<Block> unused = pool.pending.take(part);
      pool.holes.add(part);
    }
  }

  /**
   * Adds a block to the space that only this rank uses. It is reusable after {@link #commitFrees}.
   * The other ranks continue to count it as allocated, so they need not be notified. The extent of
   * the block may have been read from the file.
   *
   * @throws FormatException if part of it is already free or beyond the end of file
   */
  public synchronized void freeHere(Use use, Block block) {
    if (!isTaken(block) || here.values().stream().anyMatch(pool -> pool.overlaps(block))) {
      throw notTaken(block);
    }
    here(use).pending.add(block);
  }

  private Pool here(Use use) {
    return Objects.requireNonNull(here.get(use));
  }

  /**
   * Allocates a block in the smallest sufficiently large hole that only this rank uses. Returns
   * empty if there is no such hole.
   */
  public synchronized Optional<Block> takeHere(Use use, long bytes) {
    checkLength(bytes);
    Optional<Block> found =
        here(use).holes.smallest(bytes).map(hole -> new Block(hole.address(), bytes));
    found.ifPresent(block -> {
      List<Block> unused = here(use).holes.take(block);
    });
    return found;
  }

  /** Returns the holes that only this rank uses, in address order. */
  public synchronized List<Block> holesHere(Use use) {
    return here(use).holes.list();
  }

  /** Returns the number of bytes in the holes that only this rank uses. */
  public synchronized long freeBytesHere(Use use) {
    return here(use).holes.bytes();
  }

  /**
   * Removes a block from the holes that only this rank uses. Called before all ranks free the
   * block.
   */
  public synchronized void forgetHere(Use use, Block hole) {
    List<Block> unused = here(use).holes.take(hole);
  }

  /**
   * Makes all freed blocks reusable. Must not be called before a commit that no longer refers to
   * them is on disk.
   */
  public synchronized void commitFrees() {
    pools.values().forEach(Pool::commit);
    here.values().forEach(Pool::commit);
    fresh.clear();
  }

  /**
   * Holds all freed blocks, instead of making them reusable, because readers may still read earlier
   * epochs.
   *
   * @param epoch the epoch that the commit has created, which no longer refers to the blocks
   */
  public synchronized void holdFrees(long epoch) {
    pools.values().forEach(pool -> pool.hold(epoch));
    here.values().forEach(pool -> pool.hold(epoch));
    fresh.clear();
  }

  /**
   * Makes held blocks reusable.
   *
   * @param oldest the oldest epoch that is still read
   */
  public synchronized void releaseHeld(long oldest) {
    pools.values().forEach(pool -> pool.release(oldest));
    here.values().forEach(pool -> pool.release(oldest));
  }

  /** Returns the number of bytes in held blocks, including those that only this rank will use. */
  public synchronized long heldBytes() {
    return pools.values().stream().mapToLong(Pool::heldBytes).sum()
        + here.values().stream().mapToLong(Pool::heldBytes).sum();
  }

  /**
   * Returns the address of the first byte after all allocated space, relative to the base address.
   */
  public synchronized long endOfFile() {
    return end;
  }

  /**
   * Raises the end of file. The added space belongs to the caller.
   *
   * @throws IllegalArgumentException if the new end is below the current end
   */
  public synchronized void raiseEnd(long newEnd) {
    if (newEnd < end) {
      throw new IllegalArgumentException("end of file would shrink: end=" + end + " to=" + newEnd);
    }
    if (newEnd > end) {
      fresh.add(new Block(end, newEnd - end));
    }
    end = newEnd;
  }

  /** Returns the reusable holes for a use, in address order. */
  public synchronized List<Block> holes(Use use) {
    return pool(use).holes.list();
  }

  /** Returns the reusable metadata holes, in address order. */
  public synchronized List<Block> holes() {
    return holes(Use.METADATA);
  }

  /** Returns the number of bytes for a use that are free now or will be later. */
  public synchronized long freeBytes(Use use) {
    return pool(use).bytes();
  }

  /** Returns the freed metadata blocks that are not reusable yet, in address order. */
  public synchronized List<Block> pendingFrees() {
    return pool(Use.METADATA).pending.list();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SpaceAllocator that
        && end == that.end
        && pools.equals(that.pools)
        && fresh.equals(that.fresh);
  }

  @Override
  public int hashCode() {
    return 31 * pools.hashCode() + Long.hashCode(end);
  }

  @Override
  public String toString() {
    return "end=0x" + Long.toHexString(end) + " " + pools;
  }
}
