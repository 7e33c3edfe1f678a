package io.skerry.iod.engine.shard;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Changes;
import io.skerry.iod.engine.Entry;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.PurgedException;
import io.skerry.iod.engine.Range;
import io.skerry.iod.engine.Shard;
import io.skerry.iod.engine.Shard.ValueCheck;
import io.skerry.iod.engine.Version;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * A base class for a shard that orders its recovery, changes, aborts and purges, and rejects reads
 * of purged transactions. An engine implements the storage and removal of versions. Removals of
 * versions exclude one another; a change does not wait for them. Local, thread-safe.
 *
 * @param <C> the changes of the engine
 */
public abstract class AbstractShard<C extends AbstractChanges> implements Shard, AutoCloseable {
  private final int number;
  private final String container;
  private final Map<Long, C> changes = new ConcurrentHashMap<>();

  /** Held during a removal; acquired before the monitor of this object if both are needed. */
  private final Object removing = new Object();

  /** The transactions whose changes are being removed. */
  private final Set<Long> aborting = ConcurrentHashMap.newKeySet();

  private volatile boolean isRecovered;

  /** A transaction up to which all are known to be readable. */
  private volatile long readable;

  /** The argument of the last purge, which only grows. */
  private final AtomicLong oldest;

  /**
   * Creates a shard that has not been recovered.
   *
   * @param number the number of the shard
   * @param container the location of the container, for messages
   * @param oldest the argument of the last purge; 0 if there was none
   */
  protected AbstractShard(int number, String container, long oldest) {
    this.number = number;
    this.container = container;
    this.oldest = new AtomicLong(oldest);
    this.readable = oldest;
  }

  /**
   * Checks that the shard is open for writing.
   *
   * @throws IllegalStateException if it is not
   */
  public abstract void requireWriting();

  /** Returns the readable mark, for shard 0. */
  public abstract long mark();

  /** Returns whether changes of a transaction are stored. */
  protected abstract boolean hasChanges(long transaction);

  /** Returns new changes of a transaction. */
  protected abstract C begin(long transaction);

  /** Removes all changes of the transactions in a range, both ends included. */
  protected abstract void drop(long first, long last);

  /**
   * Removes all or some of the versions that no read at or above a transaction returns; has no
   * effect if they have already been removed.
   *
   * @return true if all have been removed; false if the method must be called again
   */
  protected abstract boolean removeHidden(long transaction);

  /** Returns the object that reads versions. */
  protected abstract VersionReads reads();

  /** Returns the argument of the last purge, given the last one known to this object. */
  protected long currentOldest(long known) {
    return known;
  }

  /** Reads of versions, at transactions that may have been purged. */
  public interface VersionReads {
    /** Returns the version that a read at a transaction returns. */
    Optional<Version> find(Place place, long transaction);

    /**
     * Returns the value that a read at a transaction returns.
     *
     * @param found must be run after the version was found in the storage, and may be run before
     *     its value is read; it throws a {@link PurgedException} if the transaction was purged, in
     *     which case another version may have been found
     */
    Optional<MemorySegment> get(
        Place place, long transaction, ValueCheck check, SegmentAllocator memory, Runnable found);

    /** Returns the first page of the versions that reads at a transaction return. */
    Page<Version> list(Range range, long transaction, PageLimit limit);

    /** Returns the first page of the values that reads at a transaction return. */
    Page<Entry> scan(Range range, long transaction, PageLimit limit, SegmentAllocator memory);

    /** Returns the first page of all versions. */
    Page<Version> history(Optional<Version> after, PageLimit limit);
  }

  @Override
  public int number() {
    return number;
  }

  private String describe() {
    return "container=" + container + " shard=" + number;
  }

  @Override
  public void recover(long mark) {
    synchronized (removing) {
      recoverAlone(mark);
    }
  }

  private synchronized void recoverAlone(long mark) {
    requireWriting();
    if (isRecovered) {
      throw new IllegalStateException("the shard has been recovered before: " + describe());
    }
    long stored = number == 0 ? mark() : mark;
    if (mark < oldest() || mark != stored) {
      throw new IllegalArgumentException(
          "readable mark to recover: expected="
              + (number == 0 ? stored : "at least " + oldest())
              + " actual="
              + mark
              + " "
              + describe());
    }
    if (mark < Long.MAX_VALUE) {
      drop(mark + 1, Long.MAX_VALUE);
    }
    readable = mark;
    isRecovered = true;
  }

  /**
   * Checks that the shard is open for writing and has been recovered.
   *
   * @throws IllegalStateException if it is not
   */
  protected final void requireRecovered() {
    requireWriting();
    if (!isRecovered) {
      throw new IllegalStateException("the shard has not been recovered: " + describe());
    }
  }

  /** Notes that the readable mark has reached a transaction. */
  public final synchronized void reached(long mark) {
    readable = Math.max(readable, mark);
  }

  @Override
  public synchronized Changes change(long transaction) {
    requireUnreadable(transaction);
    if (changes.containsKey(transaction)
        || aborting.contains(transaction)
        || hasChanges(transaction)) {
      throw new IllegalStateException(
          "the shard has changes of the transaction: transaction="
              + transaction
              + " "
              + describe());
    }
    C begun = begin(transaction);
    changes.put(transaction, begun);
    return begun;
  }

  private void requireUnreadable(long transaction) {
    requireRecovered();
    if (transaction <= readable) {
      throw new IllegalArgumentException(
          "transaction to change: expected=above "
              + readable
              + " actual="
              + transaction
              + " "
              + describe());
    }
  }

  /** Notes that changes have ended. */
  final void ended(AbstractChanges ended) {
    boolean unused = changes.remove(ended.transaction(), ended);
  }

  @Override
  public void abort(long transaction) {
    synchronized (removing) {
      end(transaction);
      try {
        drop(transaction, transaction);
      } finally {
        aborting.remove(transaction);
      }
    }
  }

  private synchronized void end(long transaction) {
    requireUnreadable(transaction);
    aborting.add(transaction);
    Optional.ofNullable(changes.get(transaction)).ifPresent(AbstractChanges::end);
  }

  @Override
  public void purge(long transaction) {
    boolean isComplete = false;
    while (!isComplete) {
      isComplete = purgePart(transaction);
    }
  }

  @Override
  public boolean purgePart(long transaction) {
    synchronized (removing) {
      requireRecovered();
      reached(transaction);
      if (transaction < oldest()) {
        return true;
      }
      // Readers check this after they have read, so it is set before the first removal.
      purged(transaction);
      return removeHidden(transaction);
    }
  }

  @Override
  public long oldest() {
    return oldest.get();
  }

  /** Records a purge. Has no effect if a later one is recorded, as when a concurrent read ends. */
  private void purged(long transaction) {
    long unused = oldest.accumulateAndGet(transaction, Math::max);
  }

  /** Runs a read, and rejects its result, which may be wrong, if its transaction was purged. */
  private <T> T read(long transaction, Supplier<T> reading) {
    T result = attempt(transaction, reading);
    requireStillThere(transaction);
    return result;
  }

  /** Runs a read that fails, with another exception, if its transaction is being purged. */
  private <T> T attempt(long transaction, Supplier<T> reading) {
    requireNotPurged(transaction);
    try {
      return reading.get();
    } catch (FormatException e) {
      requireStillThere(transaction);
      throw e;
    }
  }

  private void requireStillThere(long transaction) {
    purged(currentOldest(oldest()));
    requireNotPurged(transaction);
  }

  private void requireNotPurged(long transaction) {
    long known = oldest();
    if (transaction < known) {
      throw new PurgedException(container, number, transaction, known);
    }
  }

  @Override
  public Optional<Version> find(Place place, long transaction) {
    return read(transaction, () -> reads().find(place, transaction));
  }

  @Override
  public Optional<MemorySegment> get(Place place, long transaction, SegmentAllocator memory) {
    return get(place, transaction, ValueCheck.BY_ENGINE, memory);
  }

  private Optional<MemorySegment> get(
      Place place, long transaction, ValueCheck check, SegmentAllocator memory) {
    Runnable found = () -> requireStillThere(transaction);
    return attempt(transaction, () -> reads().get(place, transaction, check, memory, found));
  }

  @Override
  public Supplier<Optional<MemorySegment>> getLater(
      Place place, long transaction, ValueCheck check, SegmentAllocator memory) {
    Optional<MemorySegment> value = get(place, transaction, check, memory);
    return () -> value;
  }

  @Override
  public Page<Version> list(Range range, long transaction, PageLimit limit) {
    return read(transaction, () -> reads().list(range, transaction, limit));
  }

  @Override
  public Page<Entry> scan(Range range, long transaction, PageLimit limit, SegmentAllocator memory) {
    return read(transaction, () -> reads().scan(range, transaction, limit, memory));
  }

  @Override
  public Page<Version> history(Optional<Version> after, PageLimit limit) {
    return reads().history(after, limit);
  }

  /** Closes the storage. Called once, after the operations of other threads have ended. */
  protected abstract void closeStore();

  @Override
  public void close() {
    try {
      closeStore();
    } finally {
      changes.values().forEach(AbstractChanges::end);
    }
  }
}
