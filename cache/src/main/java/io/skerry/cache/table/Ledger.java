package io.skerry.cache.table;

import io.skerry.cache.table.ChunkState.Gone;
import io.skerry.cache.table.ChunkState.Unstored;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The only way in which entries change: keeps the sums of bytes in step with their states. Each sum
 * is a sum of differences of states that were won by compare-and-set, so it is exact whenever
 * nobody is at work, and apart from the truth by no more than the changes under way.
 */
public final class Ledger {
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong unstored = new AtomicLong();
  private final AtomicLong chunks = new AtomicLong();

  /** Bytes of everything in the cache. */
  public long bytes() {
    return bytes.get();
  }

  /** Bytes of versions that are newer than what is stored. */
  public long unstored() {
    return unstored.get();
  }

  /** Number of entries. */
  public long chunks() {
    return chunks.get();
  }

  /**
   * Puts a new entry into its dataset's table.
   *
   * @return the entry that is there now: this one, or the one that was faster
   */
  public Entry enter(Entry entry) {
    // Others may change the state as soon as they can see the entry.
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

  /** Goes from a state that was seen to another, unless somebody else was faster. */
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
    // The entry counts: that a chunk has become empty has to be stored too.
    return state instanceof Unstored ? Entry.OVERHEAD + state.bytes() : 0;
  }
}
