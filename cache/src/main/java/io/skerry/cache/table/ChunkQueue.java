package io.skerry.cache.table;

import io.skerry.cache.policy.EvictionOrder;
import io.skerry.cache.table.Entry.QueueStatus;
import java.util.List;
import java.util.Optional;

/**
 * The chunks of one dataset in eviction order, and the number of those that were used only as a
 * whole. Depending on the preemption weight, such chunks are evicted first. Guarded by the eviction
 * lock.
 */
public final class ChunkQueue {
  private final EvictionOrder<Entry> order;
  private int wholes;

  ChunkQueue(EvictionOrder<Entry> order) {
    this.order = order;
  }

  /** Adds a new entry. */
  public void add(Entry entry) {
    order.add(entry);
    setStatus(entry, entry.isPartial() ? QueueStatus.PART : QueueStatus.WHOLE);
  }

  /** Records a use of an entry, its current size, and whether it has been used in part. */
  public void use(Entry entry) {
    order.resized(entry);
    order.use(entry);
    if (entry.queueStatus() == QueueStatus.WHOLE && entry.isPartial()) {
      setStatus(entry, QueueStatus.PART);
    }
  }

  /**
   * Removes an entry that leaves the cache for a reason other than eviction; it need not be in the
   * queue.
   */
  public void remove(Entry entry) {
    order.remove(entry);
    setStatus(entry, QueueStatus.OUTSIDE);
  }

  /**
   * Removes the next victim from the queue and returns it. The caller must pass the victim to
   * {@link #evicted} or {@link #restore}.
   *
   * @return the victim; empty if the queue has none
   */
  public Optional<Entry> nominate() {
    Optional<Entry> next = order.nominate();
    next.ifPresent(entry -> {
      if (entry.queueStatus() == QueueStatus.WHOLE && entry.isPartial()) {
        setStatus(entry, QueueStatus.PART);
      }
    });
    return next;
  }

  /** Ends the nomination of an entry that was evicted. */
  public void evicted(Entry entry) {
    order.evicted(entry);
    setStatus(entry, QueueStatus.OUTSIDE);
  }

  /**
   * Puts nominated entries back into the queue. The entries are given in the order of their
   * nomination.
   */
  public void restore(List<Entry> entries) {
    entries.reversed().forEach(order::restore);
  }

  private void setStatus(Entry entry, QueueStatus next) {
    wholes +=
        (next == QueueStatus.WHOLE ? 1 : 0) - (entry.queueStatus() == QueueStatus.WHOLE ? 1 : 0);
    entry.queueStatus(next);
  }

  /** Returns the number of chunks that are not yet known to have been used in part. */
  public int wholes() {
    return wholes;
  }

  public int size() {
    return order.size();
  }

  /** Sets the approximate number of bytes that the dataset may occupy in the cache. */
  public void capacity(long bytes) {
    order.capacity(bytes);
  }
}
