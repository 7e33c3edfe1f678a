package io.skerry.iod.rocksdb;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Changes;
import io.skerry.iod.engine.Entry;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.PurgedException;
import io.skerry.iod.engine.Range;
import io.skerry.iod.engine.Shard;
import io.skerry.iod.engine.Version;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A shard in a database of its own. Removals of versions exclude one another; a change does not
 * wait for them.
 */
final class RocksShard implements Shard, AutoCloseable {
  private final int number;
  private final ShardStore store;
  private final long largeBytes;
  private final VersionReader reader;
  private final FirstVersions firsts;
  private final Removal removal;
  private final Map<Long, RocksChanges> changes = new ConcurrentHashMap<>();

  /** Held during a removal, before the monitor of this object if both are needed. */
  private final Object removing = new Object();

  /** The transactions whose changes are being removed. */
  private final Set<Long> aborting = ConcurrentHashMap.newKeySet();

  private volatile boolean isRecovered;

  /** A transaction up to which all are known to be readable. */
  private volatile long readable;

  private volatile long oldest;

  /** The argument of the last purge that has ended. */
  private volatile long purged;

  RocksShard(int number, ShardStore store, long largeBytes) {
    this.number = number;
    this.store = store;
    this.largeBytes = largeBytes;
    this.reader = new VersionReader(store);
    this.firsts = new FirstVersions(store);
    this.removal = new Removal(store, firsts);
    this.oldest = store.number(StoreKeys.oldest());
    this.purged = store.number(StoreKeys.purged());
    this.readable = oldest;
  }

  @Override
  public int number() {
    return number;
  }

  ShardStore store() {
    return store;
  }

  @Override
  public void recover(long mark) {
    synchronized (removing) {
      recoverAlone(mark);
    }
  }

  private synchronized void recoverAlone(long mark) {
    store.requireWriting();
    if (isRecovered) {
      throw new IllegalStateException("the shard has been recovered before: " + describe());
    }
    long stored = number == 0 ? store.number(StoreKeys.mark()) : mark;
    if (mark < oldest || mark != stored) {
      throw new IllegalArgumentException(
          "readable mark to recover: expected="
              + (number == 0 ? stored : "at least " + oldest)
              + " actual="
              + mark
              + " "
              + describe());
    }
    if (mark < Long.MAX_VALUE) {
      removal.drop(mark + 1, Long.MAX_VALUE);
    }
    readable = mark;
    isRecovered = true;
  }

  private String describe() {
    return "container=" + store.faults().container() + " shard=" + number;
  }

  private void requireRecovered() {
    store.requireWriting();
    if (!isRecovered) {
      throw new IllegalStateException("the shard has not been recovered: " + describe());
    }
  }

  /** Notes that the readable mark has reached a transaction. */
  synchronized void reached(long mark) {
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
    RocksChanges begun = new RocksChanges(this, store, firsts, transaction, largeBytes);
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

  private boolean hasChanges(long transaction) {
    try (StoreCursor cursor = store.cursor()) {
      return cursor.seek(StoreKeys.changes(transaction, 0))
          && StoreKeys.isChanges(cursor.key())
          && StoreKeys.transactionOfChanges(cursor.key()) == transaction;
    }
  }

  /** Notes that changes have ended. */
  void ended(RocksChanges ended) {
    boolean unused = changes.remove(ended.transaction(), ended);
  }

  @Override
  public void persist() {
    requireRecovered();
    store.persist();
  }

  @Override
  public void abort(long transaction) {
    synchronized (removing) {
      end(transaction);
      try {
        removal.drop(transaction, transaction);
      } finally {
        aborting.remove(transaction);
      }
    }
  }

  private synchronized void end(long transaction) {
    requireUnreadable(transaction);
    aborting.add(transaction);
    Optional.ofNullable(changes.get(transaction)).ifPresent(RocksChanges::end);
  }

  @Override
  public void purge(long transaction) {
    synchronized (removing) {
      purgeAlone(transaction);
    }
  }

  private void purgeAlone(long transaction) {
    requireRecovered();
    reached(transaction);
    if (transaction < oldest || transaction == purged) {
      return;
    }
    // Readers check this after they have read, so it is set before the first removal.
    oldest = transaction;
    removal.purge(transaction);
    purged = transaction;
  }

  @Override
  public long oldest() {
    return oldest;
  }

  /** Runs a read that returns a wrong result if its transaction is being purged. */
  private <T> T read(long transaction, Supplier<T> reading) {
    requireNotPurged(transaction);
    T result;
    try {
      result = reading.get();
    } catch (FormatException e) {
      requireNotPurged(transaction);
      throw e;
    }
    requireNotPurged(transaction);
    return result;
  }

  private void requireNotPurged(long transaction) {
    if (transaction < oldest) {
      throw new PurgedException(store.faults().container(), number, transaction, oldest);
    }
  }

  @Override
  public Optional<Version> find(Place place, long transaction) {
    return read(transaction, () -> reader.find(place, transaction));
  }

  @Override
  public Optional<MemorySegment> get(Place place, long transaction, SegmentAllocator memory) {
    return read(transaction, () -> reader.get(place, transaction, memory));
  }

  @Override
  public Page<Version> list(Range range, long transaction, PageLimit limit) {
    return read(transaction, () -> reader.list(range, transaction, limit));
  }

  @Override
  public Page<Entry> scan(Range range, long transaction, PageLimit limit, SegmentAllocator memory) {
    return read(transaction, () -> reader.scan(range, transaction, limit, memory));
  }

  @Override
  public Page<Version> history(Optional<Version> after, PageLimit limit) {
    return reader.history(after, limit);
  }

  @Override
  public List<Long> transactions() {
    List<Long> found = new ArrayList<>();
    try (StoreCursor cursor = store.cursor()) {
      boolean valid = cursor.seek(StoreKeys.changes(0, 0));
      while (valid && StoreKeys.isChanges(cursor.key())) {
        byte[] key = cursor.key();
        long transaction = store.checked(() -> StoreKeys.transactionOfChanges(key));
        found.add(transaction);
        // Skips the other chunks of the list; no chunk has the greatest number.
        valid = cursor.seek(StoreKeys.changes(transaction, -1));
      }
    }
    return found;
  }

  @Override
  public void verify(Consumer<String> findings) {
    new ShardVerifier(store, findings).run(oldest, purged);
  }

  /** Closes the database after the operations of other threads. Called once. */
  @Override
  public void close() {
    try {
      store.close();
    } finally {
      changes.values().forEach(RocksChanges::end);
    }
  }
}
