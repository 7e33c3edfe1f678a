package io.skerry.cache.table;

import io.skerry.cache.policy.RecencyBuffer;
import java.util.function.Consumer;

/**
 * Which entries were used since the eviction order was last brought up to date. An entry is noted
 * once per epoch; an epoch ends when the notes are drained. So a hit of an entry that was noted
 * already writes nothing, and a hot one is not contended for, however many threads use it.
 *
 * <p>Notes may be lost, when two threads meet in a buffer or nobody can empty a full one just now,
 * and an entry may be noted twice: the order is advice.
 */
public final class Recency {
  private final RecencyBuffer<Entry> buffer = new RecencyBuffer<>();
  private volatile int epoch = 1;
  private volatile Full full = () -> {};

  /** Who empties a buffer that is full, if nobody else has the order in hand. */
  @FunctionalInterface
  public interface Full {
    void drainIfFree();
  }

  /** Says who empties a full buffer. */
  public void whenFull(Full drainer) {
    full = drainer;
  }

  /** Notes a use. Waits for nobody and allocates nothing. */
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
      // Another thread was quicker.
      return false;
    }
    full.drainIfFree();
    return buffer.offer(entry);
  }

  /**
   * Gives the notes. The epoch stays, so that a use of what has been noted in it goes on writing
   * nothing; one thread at a time.
   */
  public void makeSpace(Consumer<Entry> consumer) {
    buffer.drainTo(consumer);
  }

  /** Gives the notes and begins a new epoch; one thread at a time. */
  // One thread at a time writes it.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  public void drainTo(Consumer<Entry> consumer) {
    epoch++;
    buffer.drainTo(consumer);
  }
}
