package io.skerry.format.alloc;

import io.skerry.chunk.FormatException;
import io.skerry.format.Block;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The space of one file, in memory: a list of holes and an end. Deterministic: equal calls on equal
 * allocators give equal addresses, so that every rank may keep its own copy. Best fit, lowest
 * address first, then the end of file.
 *
 * <p>A freed block still belongs to the last commit: it is handed out again only after {@link
 * #commitFrees}. Not thread-safe; local.
 */
public final class SpaceAllocator {
  private final TreeMap<Long, Long> holes;
  private final TreeSet<Block> bySize;
  private final TreeMap<Long, Long> pending;
  private long end;

  private SpaceAllocator(TreeMap<Long, Long> holes, TreeMap<Long, Long> pending, long end) {
    this.holes = holes;
    this.bySize = new TreeSet<>(Comparator.comparing(Block::length).thenComparing(Block::address));
    this.bySize.addAll(blocks(holes));
    this.pending = pending;
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
    return new SpaceAllocator(new TreeMap<>(), new TreeMap<>(), endOfFile);
  }

  /** An independent allocator in the same state. */
  public SpaceAllocator copy() {
    return new SpaceAllocator(new TreeMap<>(holes), new TreeMap<>(pending), end);
  }

  /**
   * Space for a block: the smallest hole that holds it, else at the end of file.
   *
   * @param bytes at least 1
   * @return its address
   * @throws IllegalArgumentException if bytes is not positive
   * @throws FormatException if the file would pass 2^63 - 1 bytes
   */
  public long allocate(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("block of no bytes: bytes=" + bytes);
    }
    Block hole = bySize.ceiling(new Block(0, bytes));
    if (hole == null) {
      long address = end;
      raiseEnd(new Block(address, bytes).end());
      return address;
    }
    holes.remove(hole.address());
    bySize.remove(hole);
    if (hole.length() > bytes) {
      Block rest = new Block(hole.address() + bytes, hole.length() - bytes);
      holes.put(rest.address(), rest.length());
      bySize.add(rest);
    }
    return hole.address();
  }

  /** As {@link #allocate}, the result as a block. */
  public Block allocateBlock(long bytes) {
    return new Block(allocate(bytes), bytes);
  }

  /**
   * Takes a certain block.
   *
   * @throws IllegalArgumentException if it does not lie within one hole
   */
  public void take(Block block) {
    Map.Entry<Long, Long> found = holes.floorEntry(block.address());
    if (found == null || found.getKey() + found.getValue() < block.end()) {
      throw new IllegalArgumentException("not within a hole: block=" + block);
    }
    Block hole = new Block(found.getKey(), found.getValue());
    holes.remove(hole.address());
    bySize.remove(hole);
    keep(hole.address(), block.address());
    keep(block.end(), hole.end());
  }

  private void keep(long start, long stop) {
    if (start < stop) {
      Block rest = new Block(start, stop - start);
      holes.put(rest.address(), rest.length());
      bySize.add(rest);
    }
  }

  /**
   * Gives a block back; it is reusable after {@link #commitFrees}.
   *
   * @throws IllegalArgumentException if part of it is free already or lies beyond the end of file
   */
  public void free(Block block) {
    if (!isTaken(block)) {
      throw new IllegalArgumentException("freed twice or never allocated: block=" + block);
    }
    insert(pending, block);
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
    insert(pending, block);
  }

  private boolean isTaken(Block block) {
    return block.end() <= end && !overlaps(holes, block) && !overlaps(pending, block);
  }

  /** As {@link #free(Block)}. */
  public void free(long address, long bytes) {
    free(new Block(address, bytes));
  }

  /** Makes all freed blocks reusable: the commit that no longer refers to them is on disk. */
  public void commitFrees() {
    pending.forEach((address, bytes) -> insert(holes, new Block(address, bytes)));
    pending.clear();
    bySize.clear();
    bySize.addAll(blocks(holes));
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
    end = newEnd;
  }

  /** The reusable holes, by address. */
  public List<Block> holes() {
    return blocks(holes);
  }

  /** What was freed since the last {@link #commitFrees}, by address. */
  public List<Block> pendingFrees() {
    return blocks(pending);
  }

  private static List<Block> blocks(TreeMap<Long, Long> of) {
    List<Block> list = new ArrayList<>(of.size());
    of.forEach((address, bytes) -> list.add(new Block(address, bytes)));
    return list;
  }

  private static boolean overlaps(TreeMap<Long, Long> in, Block block) {
    Map.Entry<Long, Long> before = in.lowerEntry(block.end());
    return before != null && before.getKey() + before.getValue() > block.address();
  }

  /** Adds a block and joins it with neighbours that touch it. */
  private static void insert(TreeMap<Long, Long> into, Block block) {
    long start = block.address();
    long stop = block.end();
    Map.Entry<Long, Long> before = into.lowerEntry(start);
    if (before != null && before.getKey() + before.getValue() == start) {
      start = before.getKey();
    }
    Long after = into.remove(stop);
    if (after != null) {
      stop += after;
    }
    into.put(start, stop - start);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SpaceAllocator that
        && end == that.end
        && holes.equals(that.holes)
        && pending.equals(that.pending);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * holes.hashCode() + pending.hashCode()) + Long.hashCode(end);
  }

  @Override
  public String toString() {
    return "end=0x" + Long.toHexString(end) + " holes=" + holes() + " pending=" + pendingFrees();
  }
}
