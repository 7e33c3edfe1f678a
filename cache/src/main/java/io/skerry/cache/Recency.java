package io.skerry.cache;

import io.skerry.cache.policy.RecencyBuffer;
import java.util.function.Consumer;

/**
 * Which entries were used since the eviction order was last brought up to date. An entry is noted
 * once per epoch; an epoch ends when the notes are drained. So a hit of an entry that was noted
 * already writes nothing, and a hot one is not contended for, however many threads use it.
 *
 * <p>Notes may be lost, when a buffer is full or two threads meet in it, and an entry may be noted
 * twice: the order is advice.
 */
final class Recency {
  private final RecencyBuffer<Entry> buffer = new RecencyBuffer<>();
  private volatile int epoch = 1;

  /** Notes a use. Neither locks nor allocates. */
  void used(Entry entry) {
    int now = epoch;
    if (entry.isUnmarked(now) && buffer.offer(entry)) {
      entry.mark(now);
    }
  }

  /** Gives the notes and begins a new epoch; one thread at a time. */
  // One thread at a time writes it.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  void drainTo(Consumer<Entry> consumer) {
    epoch++;
    buffer.drainTo(consumer);
  }
}
