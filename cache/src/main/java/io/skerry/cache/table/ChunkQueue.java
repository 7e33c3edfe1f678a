package io.skerry.cache.table;

import io.skerry.cache.policy.EvictionOrder;
import io.skerry.cache.table.Entry.Standing;
import java.util.List;
import java.util.Optional;

/**
 * The chunks of one dataset in the order in which they go, with what a policy does not care for:
 * how many of them are only used as a whole. Guarded by the lock of evictions.
 */
public final class ChunkQueue {
  private final EvictionOrder<Entry> order;
  private int wholes;

  ChunkQueue(EvictionOrder<Entry> order) {
    this.order = order;
  }

  /** Takes a newcomer in. */
  public void add(Entry entry) {
    order.add(entry);
    stand(entry, entry.isPartial() ? Standing.PART : Standing.WHOLE);
  }

  /** Notes a use, and what may have changed since the last one. */
  public void use(Entry entry) {
    order.resized(entry);
    order.use(entry);
    if (entry.standing() == Standing.WHOLE && entry.isPartial()) {
      stand(entry, Standing.PART);
    }
  }

  /** Lets an entry go for other reasons than room; it need not be here. */
  public void remove(Entry entry) {
    order.remove(entry);
    stand(entry, Standing.OUTSIDE);
  }

  /** Takes out the next one; what becomes of it is to be told. */
  public Optional<Entry> nominate() {
    Optional<Entry> next = order.nominate();
    next.ifPresent(entry -> {
      if (entry.standing() == Standing.WHOLE && entry.isPartial()) {
        stand(entry, Standing.PART);
      }
    });
    return next;
  }

  /** A nominated entry is gone. */
  public void evicted(Entry entry) {
    order.evicted(entry);
    stand(entry, Standing.OUTSIDE);
  }

  /** Nominated entries stay, in the order of their nomination. */
  public void restore(List<Entry> entries) {
    entries.reversed().forEach(order::restore);
  }

  private void stand(Entry entry, Standing next) {
    wholes += (next == Standing.WHOLE ? 1 : 0) - (entry.standing() == Standing.WHOLE ? 1 : 0);
    entry.stand(next);
  }

  /** Chunks that were only used as a whole, as far as is known; never too few. */
  public int wholes() {
    return wholes;
  }

  public int size() {
    return order.size();
  }

  /** About how much the dataset may hold. */
  public void capacity(long bytes) {
    order.capacity(bytes);
  }
}
