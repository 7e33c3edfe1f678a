package io.skerry.cache.eviction;

import io.skerry.cache.table.Ledger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory that is reserved for chunks that will be added to the cache. When a chunk is added, the
 * {@link Ledger} counts it before the reservation is reduced, so the sum of the counted and the
 * reserved bytes is never too small.
 */
public final class Reservations {
  private final AtomicLong reserved = new AtomicLong();

  /** Returns the size of the reservations of running loads and writes, in bytes. */
  long reserved() {
    return reserved.get();
  }

  /** Reserves the given number of bytes. */
  Room reserve(long bytes) {
    reserved.addAndGet(bytes);
    return new Room(bytes);
  }

  /** The memory reserved for one load, write or image: the estimated maximum that is needed. */
  public final class Room implements AutoCloseable {
    private final AtomicLong left;

    private Room(long bytes) {
      this.left = new AtomicLong(bytes);
    }

    /** Reduces the reservation by the size, in bytes, of chunks that were added. */
    public void took(long bytes) {
      long before = left.getAndUpdate(now -> Math.max(0, now - bytes));
      reserved.addAndGet(-Math.min(before, bytes));
    }

    /** Ends the reservation. A second call has no effect. */
    @Override
    public void close() {
      reserved.addAndGet(-left.getAndSet(0));
    }
  }
}
