package io.skerry.cache.table;

import io.skerry.cache.policy.RecencyBuffer;
import java.util.function.Consumer;

/**
 * The entries that were used since the eviction order was last updated. A use is recorded only if
 * the entry is not yet marked in the current epoch, so threads do not contend for a frequently used
 * entry. {@link #drainTo} starts a new epoch.
 *
 * <p>Records may be lost if two threads collide in a buffer or if a full buffer cannot be drained,
 * and an entry may be recorded twice. Neither matters, because the eviction order is only a
 * heuristic.
 */
public final class Recency {
  private final RecencyBuffer<Entry> buffer = new RecencyBuffer<>();
  private volatile int epoch = 1;
  private volatile Full full = () -> {};

  /** Drains a full buffer, unless another thread holds the eviction lock. */
  @FunctionalInterface
  public interface Full {
    void drainIfFree();
  }

  /** Sets the callback that drains a full buffer. */
  public void whenFull(Full drainer) {
    full = drainer;
  }

  /** Records a use, unless the entry is marked in the current epoch. Never waits. */
  void used(Entry entry) {
    int now = epoch;
    if (entry.isUnmarked(now) && isNoted(entry)) {
      entry.mark(now);
    }
  }

  private boolean isNoted(Entry entry) {
    if (buffer.offer(entry)) {
      return true;
    }
    if (!buffer.isFull()) {
      // Another thread has claimed the slot first, or has drained the buffer in the meantime.
      return false;
    }
    full.drainIfFree();
    return buffer.offer(entry);
  }

  /**
   * Passes the records to a consumer without starting a new epoch, so that further uses of entries
   * already recorded in this epoch are still not recorded. Called by one thread at a time.
   */
  public void makeSpace(Consumer<Entry> consumer) {
    buffer.drainTo(consumer);
  }

  /** Passes the records to a consumer and starts a new epoch. Called by one thread at a time. */
  // Only one thread at a time writes the field.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  public void drainTo(Consumer<Entry> consumer) {
    epoch++;
    buffer.drainTo(consumer);
  }
}
