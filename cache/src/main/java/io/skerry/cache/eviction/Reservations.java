package io.skerry.cache.eviction;

import io.skerry.cache.table.Ledger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes of chunks that are about to come. What has come counts in the {@link Ledger} and no longer
 * here; it is entered there first, so that the sum of both is never too small.
 */
public final class Reservations {
  private final AtomicLong reserved = new AtomicLong();

  /** Bytes that loads and writes under way may still take. */
  long reserved() {
    return reserved.get();
  }

  /** Declares that so many bytes will come. */
  Room reserve(long bytes) {
    reserved.addAndGet(bytes);
    return new Room(bytes);
  }

  /** What one load or write will take at most, as far as is known. */
  public final class Room implements AutoCloseable {
    private final AtomicLong left;

    private Room(long bytes) {
      this.left = new AtomicLong(bytes);
    }

    /** So much has come. */
    public void took(long bytes) {
      long before = left.getAndUpdate(now -> Math.max(0, now - bytes));
      reserved.addAndGet(-Math.min(before, bytes));
    }

    /** Nothing more will come. Has no effect the second time. */
    @Override
    public void close() {
      reserved.addAndGet(-left.getAndSet(0));
    }
  }
}
