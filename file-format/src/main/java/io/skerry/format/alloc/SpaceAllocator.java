package io.skerry.format.alloc;

import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import java.util.EnumMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The space of one file, in memory: lists of holes and an end. Deterministic: equal calls on equal
 * allocators give equal addresses, so that every rank may keep its own copy. Best fit, lowest
 * address first, then the end of file.
 *
 * <p>What was used in one way is used again in that way, as in HDF5: metadata have the same sizes
 * again and again and find them again exactly, which holes cut up by chunks of changing sizes would
 * not give. Only metadata without a hole of their own take a little of a large one of data before
 * the file grows. Where something is taken at the end that has its like among the holes, a little
 * more is taken, since the next one may be larger: what is rewritten again and again soon finds
 * room.
 *
 * <p>A freed block still belongs to the last commit: it is handed out again only after {@link
 * #commitFrees}. Space that was taken since that commit is known to nobody, and is a hole again as
 * soon as it is freed.
 *
 * <p>A rank may also have holes that the others know nothing of, for what it alone takes ({@link
 * #freeHere}): they are no part of what is the same on all ranks.
 *
 * <p>Each call is safe beside others; local.
 */
public final class SpaceAllocator {
  /** Metadata take at most this part of a hole of data, which was left for data to come. */
  private static final long LARGE = 16;

  private static final long LEAST_SLACK = 1024;
  private static final long MOST_SLACK = 64 << 10;

  private EnumMap<Use, Pool> pools;

  /** Holes that this rank alone knows of; all others take them for used. */
  private EnumMap<Use, FreeExtents> here;

  private FreeExtents fresh;
  private long end;

  /** Bytes of a stripe, and where in one the base address is. */
  private long stripe = 1;

  private long phase;

  /** What space is used for. */
  public enum Use {
    /** Headers, indexes and the like. */
    METADATA,
    /** Chunks and contiguous data. */
    DATA,
    /** Collections of the global heap. */
    HEAP
  }

  /**
   * Free space of one kind.
   *
   * @param holes may be taken
   * @param pending may be taken after the next commit
   */
  private record Pool(FreeExtents holes, FreeExtents pending) {
    Pool copy() {
      return new Pool(holes.copy(), pending.copy());
    }

    boolean overlaps(Block block) {
      return holes.overlaps(block) || pending.overlaps(block);
    }

    long bytes() {
      return holes.bytes() + pending.bytes();
    }

    void commit() {
      pending.list().forEach(holes::add);
      pending.clear();
    }
  }

  private SpaceAllocator(
      EnumMap<Use, Pool> pools, EnumMap<Use, FreeExtents> here, FreeExtents fresh, long end) {
    this.pools = pools;
    this.here = here;
    this.fresh = fresh;
    this.end = end;
  }

  /**
   * A file without holes.
   *
   * @param endOfFile first byte beyond everything, relative to the base address
   */
  public static SpaceAllocator startingAt(long endOfFile) {
    if (endOfFile < 0) {
      throw new IllegalArgumentException("negative end of file: endOfFile=" + endOfFile);
    }
    EnumMap<Use, Pool> pools = new EnumMap<>(Use.class);
    EnumMap<Use, FreeExtents> here = new EnumMap<>(Use.class);
    for (Use use : Use.values()) {
      pools.put(use, new Pool(FreeExtents.none(), FreeExtents.none()));
      here.put(use, FreeExtents.none());
    }
    return new SpaceAllocator(pools, here, FreeExtents.none(), endOfFile);
  }

  /** An independent allocator in the same state. */
  public synchronized SpaceAllocator copy() {
    EnumMap<Use, Pool> copies = new EnumMap<>(Use.class);
    pools.forEach((use, pool) -> copies.put(use, pool.copy()));
    EnumMap<Use, FreeExtents> hereCopies = new EnumMap<>(Use.class);
    here.forEach((use, holes) -> hereCopies.put(use, holes.copy()));
    SpaceAllocator copy = new SpaceAllocator(copies, hereCopies, fresh.copy(), end);
    copy.stripe = stripe;
    copy.phase = phase;
    return copy;
  }

  /** Takes the state of another one; the two stay independent. */
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
   * Space for a block of metadata: the smallest hole that holds it, else at the end of file.
   *
   * @param bytes at least 1
   * @return its address
   * @throws IllegalArgumentException if bytes is not positive
   * @throws FormatException if the file would pass 2^63 - 1 bytes
   */
  public synchronized long allocate(long bytes) {
    return allocateBlock(bytes).address();
  }

  /** As {@link #allocate}, the result as a block. */
  public synchronized Block allocateBlock(long bytes) {
    checkLength(bytes);
    return inHole(Use.METADATA, bytes, bytes)
        .or(() -> bytes > end / LARGE ? Optional.empty() : inHole(Use.DATA, bytes, bytes * LARGE))
        .orElseGet(() -> atEnd(Use.METADATA, bytes, Math.max(bytes, LEAST_SLACK)));
  }

  /** As {@link #allocateBlock}, for a block of values. */
  public synchronized Block allocateData(long bytes) {
    checkLength(bytes);
    long slack = Math.max(LEAST_SLACK, Math.min(bytes / 2, MOST_SLACK));
    return inHole(Use.DATA, bytes, bytes).orElseGet(() -> atEnd(Use.DATA, bytes, slack));
  }

  /**
   * Lets what {@link #takeAtEnd} takes begin with a stripe of the file system.
   *
   * @param bytes of a stripe; 1 if it does not matter
   * @param base where in the file addresses begin to count
   */
  public synchronized void beginAtStripes(long bytes, long base) {
    if (bytes < 1 || base < 0) {
      throw new IllegalArgumentException("no stripes: bytes=" + bytes + " base=" + base);
    }
    stripe = bytes;
    phase = base % bytes;
  }

  /**
   * Space for many blocks at the end of file, at the begin of a stripe if it is as long as one.
   * What is left free before may be used for the same.
   *
   * @param bytes 0 or more
   * @return where it begins
   */
  public synchronized long takeAtEnd(Use use, long bytes) {
    long before = bytes < stripe ? 0 : (stripe - (end + phase) % stripe) % stripe;
    if (before > 0) {
      Block gap = new Block(end, before);
      raiseEnd(gap.end());
      free(use, gap);
    }
    long start = end;
    raiseEnd(end + bytes);
    return start;
  }

  private static void checkLength(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("block of no bytes: bytes=" + bytes);
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
   * Takes a certain block of a hole.
   *
   * @throws IllegalArgumentException if it does not lie within one hole of that use
   */
  public synchronized void take(Use use, Block block) {
    if (!pool(use).holes.contains(block)) {
      throw new IllegalArgumentException("not within a hole: block=" + block);
    }
    List<Block> unused = pool(use).holes.take(block);
    fresh.add(block);
  }

  /**
   * Gives back a block; it is reusable after {@link #commitFrees}, or at once if it was taken since
   * the last one.
   *
   * @throws IllegalArgumentException if part of it is free already or lies beyond the end of file
   */
  public synchronized void free(Use use, Block block) {
    if (!isTaken(block)) {
      throw new IllegalArgumentException("freed twice or never allocated: block=" + block);
    }
    giveBack(use, block);
  }

  /** As {@link #free(Use, Block)}, for metadata. */
  public synchronized void free(Block block) {
    free(Use.METADATA, block);
  }

  /** As {@link #free(Use, Block)}, for metadata. */
  public synchronized void free(long address, long bytes) {
    free(new Block(address, bytes));
  }

  /**
   * As {@link #free}, for a block that only the content of a file says is taken.
   *
   * @throws FormatException if part of it is free already or lies beyond the end of file
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

  /** As {@link #freeStored(Use, Block)}, for metadata. */
  public synchronized void freeStored(Block block) {
    freeStored(Use.METADATA, block);
  }

  /** Whether a block lies below the end of file and no part of it is free. */
  public synchronized boolean isTaken(Block block) {
    return block.end() <= end && pools.values().stream().noneMatch(pool -> pool.overlaps(block));
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
   * Gives this rank alone a block that no commit refers to any more. The others go on taking it for
   * used, so that nobody has to be told.
   *
   * @throws FormatException if part of it is free already or lies beyond the end of file; that it
   *     is taken only the content of a file may say
   */
  public synchronized void freeHere(Use use, Block block) {
    if (!isTaken(block) || here.values().stream().anyMatch(holes -> holes.overlaps(block))) {
      throw notTaken(block);
    }
    here(use).add(block);
  }

  private FreeExtents here(Use use) {
    return Objects.requireNonNull(here.get(use));
  }

  /** Takes the smallest of the holes of this rank alone that is long enough. */
  public synchronized Optional<Block> takeHere(Use use, long bytes) {
    checkLength(bytes);
    Optional<Block> found = here(use).smallest(bytes).map(hole -> new Block(hole.address(), bytes));
    found.ifPresent(block -> {
      List<Block> unused = here(use).take(block);
    });
    return found;
  }

  /** The holes of this rank alone, by address. */
  public synchronized List<Block> holesHere(Use use) {
    return here(use).list();
  }

  /** Bytes in the holes of this rank alone. */
  public synchronized long freeBytesHere(Use use) {
    return here(use).bytes();
  }

  /** Forgets a hole of this rank alone, before all ranks free it. */
  public synchronized void forgetHere(Use use, Block hole) {
    List<Block> unused = here(use).take(hole);
  }

  /** Makes all freed blocks reusable: the commit that no longer refers to them is on disk. */
  public synchronized void commitFrees() {
    pools.values().forEach(Pool::commit);
    fresh.clear();
  }

  /** First byte beyond everything, relative to the base address. */
  public synchronized long endOfFile() {
    return end;
  }

  /**
   * Moves the end of file: the space below it that is new belongs to the caller.
   *
   * @throws IllegalArgumentException if it would shrink
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

  /** The reusable holes of a use, by address. */
  public synchronized List<Block> holes(Use use) {
    return pool(use).holes.list();
  }

  /** The reusable holes of metadata, by address. */
  public synchronized List<Block> holes() {
    return holes(Use.METADATA);
  }

  /** Bytes of a use that are free or will be after the next commit. */
  public synchronized long freeBytes(Use use) {
    return pool(use).bytes();
  }

  /** What was freed of metadata and cannot be reused yet, by address. */
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
