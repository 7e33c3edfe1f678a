package io.skerry.chunk.bytes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A pool of native memory. The sizes of its slabs are powers of two; free slabs are kept up to a
 * limit. Thread-safe.
 *
 * <p>If assertions are enabled, the pool records the stack trace of each lease, and closing the
 * pool while a lease is open throws an exception with these traces.
 */
public final class SegmentPool implements AutoCloseable {
  private static final int SMALLEST = 12;

  private final long keep;
  private final Optional<Map<Slab, Throwable>> takenAt;
  private final Map<Integer, Deque<Slab>> free = new HashMap<>();
  private long freeBytes;
  private boolean closed;

  private record Slab(Arena arena, MemorySegment memory) {}

  /**
   * Creates an empty pool.
   *
   * @param keep the maximum amount of free memory to keep, in bytes
   */
  public SegmentPool(long keep) {
    this.keep = keep;
    this.takenAt =
        SegmentPool.class.desiredAssertionStatus()
            ? Optional.of(new LinkedHashMap<>())
            : Optional.empty();
  }

  /**
   * Leases memory.
   *
   * @param bytes the size in bytes
   * @throws IllegalArgumentException if the size is negative
   * @throws IllegalStateException if the pool is closed
   * @throws io.skerry.exception.MemoryLimitException if the memory cannot be allocated
   */
  public Lease lease(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative: bytes=" + bytes);
    }
    int power = Math.max(SMALLEST, 64 - Long.numberOfLeadingZeros(Math.max(1, bytes) - 1));
    Slab slab = takeFree(power).orElseGet(() -> allocate(power));
    if (takenAt.isPresent()) {
      remember(slab, new Throwable("lease of " + bytes + " bytes"));
    }
    return new SlabLease(this, slab, power, slab.memory().asSlice(0, bytes));
  }

  private synchronized Optional<Slab> takeFree(int power) {
    if (closed) {
      throw new IllegalStateException("the pool is closed");
    }
    Optional<Slab> ready = Optional.ofNullable(free.get(power)).map(Deque::poll);
    if (ready.isPresent()) {
      freeBytes -= 1L << power;
    }
    return ready;
  }

  private static Slab allocate(int power) {
    Arena arena = Arena.ofShared();
    boolean allocated = false;
    try {
      Slab slab = new Slab(arena, UninitializedMemory.allocate(arena, 1L << power));
      allocated = true;
      return slab;
    } finally {
      if (!allocated) {
        arena.close();
      }
    }
  }

  private synchronized void remember(Slab slab, Throwable where) {
    takenAt.ifPresent(open -> open.put(slab, where));
  }

  private void giveBack(Slab slab, int power) {
    if (!keeps(slab, power)) {
      slab.arena().close();
    }
  }

  private synchronized boolean keeps(Slab slab, int power) {
    takenAt.ifPresent(open -> open.remove(slab));
    if (closed || freeBytes + (1L << power) > keep) {
      return false;
    }
    freeBytes += 1L << power;
    free.computeIfAbsent(power, _ -> new ArrayDeque<>()).push(slab);
    return true;
  }

  /**
   * Closes the pool without checking for open leases, and frees all memory that is not leased.
   * Leased memory is freed when its lease is closed, because an operation that has just failed may
   * still use it. Later calls to {@link #lease} fail.
   */
  public synchronized void abandon() {
    closed = true;
    free.values().forEach(slabs -> slabs.forEach(slab -> slab.arena().close()));
    free.clear();
    freeBytes = 0;
  }

  /**
   * Closes the pool and frees all memory that is not leased.
   *
   * @throws IllegalStateException if assertions are enabled and a lease is open
   */
  @Override
  public synchronized void close() {
    abandon();
    if (takenAt.isPresent() && !takenAt.get().isEmpty()) {
      IllegalStateException leak = new IllegalStateException("memory was leased and not returned");
      takenAt.get().values().forEach(leak::addSuppressed);
      throw leak;
    }
  }

  private static final class SlabLease implements Lease {
    private final SegmentPool pool;
    private final Slab slab;
    private final int power;
    private final MemorySegment segment;
    private boolean open = true;

    SlabLease(SegmentPool pool, Slab slab, int power, MemorySegment segment) {
      this.pool = pool;
      this.slab = slab;
      this.power = power;
      this.segment = segment;
    }

    @Override
    public MemorySegment segment() {
      if (!open) {
        throw new IllegalStateException("the lease was given back");
      }
      return segment;
    }

    @Override
    public void close() {
      if (open) {
        open = false;
        pool.giveBack(slab, power);
      }
    }
  }
}
