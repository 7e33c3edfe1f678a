package io.skerry.cache.table;

import io.skerry.cache.table.ChunkState.Gone;
import io.skerry.cache.table.ChunkState.Unstored;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Changes entries and keeps the total sizes consistent with their states. All changes go through
 * this class. Each total is a sum of differences between states that were changed by
 * compare-and-set. A total is therefore exact while no thread changes entries; otherwise it
 * deviates by no more than the changes in progress.
 */
public final class Ledger {
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong unstored = new AtomicLong();
  private final AtomicLong chunks = new AtomicLong();

  /** Returns the total size of the cache in bytes. */
  public long bytes() {
    return bytes.get();
  }

  /**
   * Returns the size in bytes of the versions that are newer than the stored chunks, including
   * their entries.
   */
  public long unstored() {
    return unstored.get();
  }

  /** Returns the number of entries. */
  public long chunks() {
    return chunks.get();
  }

  /**
   * Adds a new entry to the table of its dataset.
   *
   * @return the entry in the table: the given entry, or the entry that another thread added first
   */
  public Entry enter(Entry entry) {
    // Read before the entry is published, because other threads may change its state from then on.
    long first = entry.state().bytes();
    long firstUnstored = unstoredBytes(entry.state());
    Entry present = entry.dataset().chunks().putIfAbsent(entry);
    if (present == entry) {
      chunks.incrementAndGet();
      weigh(entry, Entry.OVERHEAD + first);
      unstored.addAndGet(firstUnstored);
    }
    return present;
  }

  /**
   * Replaces the state of an entry if it is still the one that the caller has seen.
   *
   * @return false if another thread has changed the state in the meantime
   */
  public boolean change(Entry entry, ChunkState seen, ChunkState next) {
    if (!entry.change(seen, next)) {
      return false;
    }
    weigh(entry, next.bytes() - seen.bytes());
    unstored.addAndGet(unstoredBytes(next) - unstoredBytes(seen));
    if (next instanceof Gone && entry.dataset().chunks().remove(entry)) {
      chunks.decrementAndGet();
      weigh(entry, -Entry.OVERHEAD);
    }
    return true;
  }

  private void weigh(Entry entry, long delta) {
    entry.dataset().weigh(delta);
    bytes.addAndGet(delta);
  }

  private static long unstoredBytes(ChunkState state) {
    // The entry counts too: a chunk that has become empty must also be stored.
    return state instanceof Unstored ? Entry.OVERHEAD + state.bytes() : 0;
  }
}
