package io.skerry.format.alloc;

import io.skerry.chunk.FormatException;
import io.skerry.format.Block;
import java.util.List;
import java.util.Optional;

/**
 * The space of one file, in memory: lists of holes and an end. Deterministic: equal calls on equal
 * allocators give equal addresses, so that every rank may keep its own copy. Best fit, lowest
 * address first, then the end of file.
 *
 * <p>What metadata leave and what data leave are holes of two kinds, as in HDF5: metadata have the
 * same sizes again and again and find them again exactly, which holes cut up by chunks of changing
 * sizes would not give. Metadata without a hole of their own take a little of a large one of data
 * before the file grows; data never take those of metadata.
 *
 * <p>A freed block still belongs to the last commit: it is handed out again only after {@link
 * #commitFrees}. Space that was taken since that commit is known to nobody, and is a hole again as
 * soon as it is freed. Not thread-safe; local.
 */
public final class SpaceAllocator {
  /** Metadata take at most this part of a hole of data, which was left for data to come. */
  private static final long LARGE = 16;

  private final Pool metadata;
  private final Pool data;
  private final Stretches fresh;
  private long end;

  /**
   * Free space of one kind.
   *
   * @param holes may be taken
   * @param pending may be taken after the next commit
   */
  private record Pool(Stretches holes, Stretches pending) {
    static Pool empty() {
      return new Pool(Stretches.none(), Stretches.none());
    }

    Pool copy() {
      return new Pool(holes.copy(), pending.copy());
    }

    boolean overlaps(Block block) {
      return holes.overlaps(block) || pending.overlaps(block);
    }

    void commit() {
      pending.list().forEach(holes::add);
      pending.clear();
    }
  }

  private SpaceAllocator(Pool metadata, Pool data, Stretches fresh, long end) {
    this.metadata = metadata;
    this.data = data;
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
    return new SpaceAllocator(Pool.empty(), Pool.empty(), Stretches.none(), endOfFile);
  }

  /** An independent allocator in the same state. */
  public SpaceAllocator copy() {
    return new SpaceAllocator(metadata.copy(), data.copy(), fresh.copy(), end);
  }

  /**
   * Space for a block of metadata: the smallest hole that holds it, else at the end of file.
   *
   * @param bytes at least 1
   * @return its address
   * @throws IllegalArgumentException if bytes is not positive
   * @throws FormatException if the file would pass 2^63 - 1 bytes
   */
  public long allocate(long bytes) {
    return allocateBlock(bytes).address();
  }

  /** As {@link #allocate}, the result as a block. */
  public Block allocateBlock(long bytes) {
    checkLength(bytes);
    return inHole(metadata, bytes, bytes)
        .or(() -> bytes > end / LARGE ? Optional.empty() : inHole(data, bytes, bytes * LARGE))
        .orElseGet(() -> atEnd(bytes));
  }

  /** As {@link #allocateBlock}, for values: chunks, contiguous data, collections of a heap. */
  public Block allocateData(long bytes) {
    checkLength(bytes);
    return inHole(data, bytes, bytes).orElseGet(() -> atEnd(bytes));
  }

  private static void checkLength(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("block of no bytes: bytes=" + bytes);
    }
  }

  private Optional<Block> inHole(Pool pool, long bytes, long least) {
    Optional<Block> found =
        pool.holes.smallest(least).map(hole -> new Block(hole.address(), bytes));
    found.ifPresent(block -> take(pool, block));
    return found;
  }

  private Block atEnd(long bytes) {
    Block block = new Block(end, bytes);
    raiseEnd(block.end());
    return block;
  }

  private void take(Pool pool, Block block) {
    List<Block> unused = pool.holes.take(block);
    fresh.add(block);
  }

  /**
   * Takes a certain block of a hole of data.
   *
   * @throws IllegalArgumentException if it does not lie within one hole
   */
  public void take(Block block) {
    if (!data.holes.contains(block)) {
      throw new IllegalArgumentException("not within a hole: block=" + block);
    }
    take(data, block);
  }

  /**
   * Gives back a block of metadata; it is reusable after {@link #commitFrees}, or at once if it was
   * taken since the last one.
   *
   * @throws IllegalArgumentException if part of it is free already or lies beyond the end of file
   */
  public void free(Block block) {
    checkTaken(block);
    free(metadata, block);
  }

  /** As {@link #free(Block)}. */
  public void free(long address, long bytes) {
    free(new Block(address, bytes));
  }

  /** As {@link #free(Block)}, for a block of values. */
  public void freeData(Block block) {
    checkTaken(block);
    free(data, block);
  }

  private void checkTaken(Block block) {
    if (!isTaken(block)) {
      throw new IllegalArgumentException("freed twice or never allocated: block=" + block);
    }
  }

  /**
   * As {@link #free}, for a block that only the content of a file says is taken.
   *
   * @throws FormatException if part of it is free already or lies beyond the end of file
   */
  public void freeStored(Block block) {
    if (!isTaken(block)) {
      throw new FormatException(
          "space to give back",
          "taken once, below the end of file 0x" + Long.toHexString(end),
          block);
    }
    free(metadata, block);
  }

  /** Whether a block lies below the end of file and no part of it is free. */
  public boolean isTaken(Block block) {
    return block.end() <= end && !metadata.overlaps(block) && !data.overlaps(block);
  }

  private void free(Pool pool, Block block) {
    List<Block> neverCommitted = fresh.take(block);
    pool.pending.add(block);
    for (Block part : neverCommitted) {
      List<Block> unused = pool.pending.take(part);
      pool.holes.add(part);
    }
  }

  /** Makes all freed blocks reusable: the commit that no longer refers to them is on disk. */
  public void commitFrees() {
    metadata.commit();
    data.commit();
    fresh.clear();
  }

  /** First byte beyond everything, relative to the base address. */
  public long endOfFile() {
    return end;
  }

  /**
   * Moves the end of file: the space below it that is new belongs to the caller.
   *
   * @throws IllegalArgumentException if it would shrink
   */
  public void raiseEnd(long newEnd) {
    if (newEnd < end) {
      throw new IllegalArgumentException("end of file would shrink: end=" + end + " to=" + newEnd);
    }
    if (newEnd > end) {
      fresh.add(new Block(end, newEnd - end));
    }
    end = newEnd;
  }

  /** The reusable holes of metadata, by address. */
  public List<Block> holes() {
    return metadata.holes.list();
  }

  /** The reusable holes of data, by address. */
  public List<Block> dataHoles() {
    return data.holes.list();
  }

  /** Bytes of data that are free or will be after the next commit. */
  public long freeDataBytes() {
    return data.holes.bytes() + data.pending.bytes();
  }

  /** What was freed of metadata and cannot be reused yet, by address. */
  public List<Block> pendingFrees() {
    return metadata.pending.list();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SpaceAllocator that
        && end == that.end
        && metadata.equals(that.metadata)
        && data.equals(that.data)
        && fresh.equals(that.fresh);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * metadata.hashCode() + data.hashCode()) + Long.hashCode(end);
  }

  @Override
  public String toString() {
    return "end=0x" + Long.toHexString(end) + " metadata=" + metadata + " data=" + data;
  }
}
