package io.skerry.cache.eviction;

import io.skerry.cache.table.Ledger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory that is reserved for chunks to be added. Chunks that are added count in the {@link Ledger}
 * instead. They are counted there first, so the sum of both is never too small.
 */
public final class Reservations {
  private final AtomicLong reserved = new AtomicLong();

  /** Size of the reservations of running loads and writes, in bytes. */
  long reserved() {
    return reserved.get();
  }

  /** Reserves memory. */
  Room reserve(long bytes) {
    reserved.addAndGet(bytes);
    return new Room(bytes);
  }

  /** The reservation of one load or write, an estimate of its maximum size. */
  public final class Room implements AutoCloseable {
    private final AtomicLong left;

    private Room(long bytes) {
      this.left = new AtomicLong(bytes);
    }

    /** Reduces the reservation by the size of chunks that were added. */
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
