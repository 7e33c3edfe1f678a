package io.skerry.iod.rados;

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
import io.skerry.iod.rados.library.Pool;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A shard whose values are objects of a pool. */
final class RadosShard implements Shard, AutoCloseable {
  private final int number;
  private final ShardStore store;
  private final Optional<Lease> lease;
  private final RadosChanges.ValueLimits limits;
  private final ShardVerifier.Listing listing;
  private final VersionReader reader;
  private final Removal removal;
  private final Map<Long, RadosChanges> changes = new ConcurrentHashMap<>();
  private volatile boolean isRecovered;

  /** A transaction up to which all are known to be readable. */
  private volatile long readable;

  private volatile long oldest;

  RadosShard(
      int number,
      ShardStore store,
      Optional<Lease> lease,
      RadosChanges.ValueLimits limits,
      ShardVerifier.Listing listing) {
    this.number = number;
    this.store = store;
    this.lease = lease;
    this.limits = limits;
    this.listing = listing;
    this.reader = new VersionReader(store);
    this.removal = new Removal(store, reader);
    this.oldest = store.number(ShardNames.OLDEST);
    this.readable = oldest;
  }

  @Override
  public int number() {
    return number;
  }

  ShardStore store() {
    return store;
  }

  Removal removal() {
    return removal;
  }

  /** Renews the lease, unless the shard is closed. */
  void renew() {
    lease.ifPresent(held -> {
      try {
        int unused =
            store.call(pool -> {
              held.renew(pool);
              return 0;
            });
      } catch (IllegalStateException e) {
        // The shard has been closed, and with it the lease.
        return;
      }
    });
  }

  /** Makes all later changes preserve snapshots. */
  void keep(Pool pool) {
    store.replace(pool);
  }

  @Override
  public synchronized void recover(long mark) {
    store.requireWriting();
    if (isRecovered) {
      throw new IllegalStateException(
          "the shard has been recovered before: " + store.faults().describe());
    }
    long stored = number == 0 ? store.number(ShardNames.MARK) : mark;
    if (mark < oldest || mark != stored) {
      throw new IllegalArgumentException(
          "readable mark to recover: expected="
              + (number == 0 ? stored : "at least " + oldest)
              + " actual="
              + mark
              + " "
              + store.faults().describe());
    }
    if (mark < Long.MAX_VALUE) {
      removal.drop(mark + 1, Long.MAX_VALUE);
    }
    readable = mark;
    isRecovered = true;
  }

  private void requireRecovered() {
    store.requireWriting();
    if (!isRecovered) {
      throw new IllegalStateException(
          "the shard has not been recovered: " + store.faults().describe());
    }
  }

  /** Notes that the readable mark has reached a transaction. */
  void reached(long mark) {
    readable = Math.max(readable, mark);
  }

  @Override
  public synchronized Changes change(long transaction) {
    requireUnreadable(transaction);
    if (changes.containsKey(transaction) || hasChanges(transaction)) {
      throw new IllegalStateException(
          "the shard has changes of the transaction: transaction="
              + transaction
              + " "
              + store.faults().describe());
    }
    RadosChanges begun = new RadosChanges(this, store, transaction, limits);
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
              + store.faults().describe());
    }
  }

  private boolean hasChanges(long transaction) {
    byte[] prefix = OmapKeys.changes(transaction);
    return !store
        .call(pool -> pool.pairs(store.names().head(), new byte[0], prefix, 1))
        .pairs()
        .isEmpty();
  }

  /** Notes that changes have ended. */
  void ended(RadosChanges ended) {
    boolean unused = changes.remove(ended.transaction(), ended);
  }

  @Override
  public void persist() {
    requireRecovered();
    // Whatever the cluster has confirmed is durable, but a closed shard has to be refused.
    int unused = store.call(_ -> 0);
  }

  @Override
  public synchronized void abort(long transaction) {
    requireUnreadable(transaction);
    Optional.ofNullable(changes.get(transaction)).ifPresent(RadosChanges::end);
    removal.drop(transaction, transaction);
  }

  @Override
  public synchronized void purge(long transaction) {
    requireRecovered();
    reached(transaction);
    if (transaction < oldest) {
      return;
    }
    // Readers check this after they have read, so it is set before the first removal.
    oldest = transaction;
    removal.purge(transaction);
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
      refresh();
      requireNotPurged(transaction);
      throw e;
    }
    refresh();
    requireNotPurged(transaction);
    return result;
  }

  /** Reads the argument of the last purge of the opener that writes, which may be another one. */
  private void refresh() {
    if (!store.isWriting() && listing == ShardVerifier.Listing.WHOLE_POOL) {
      oldest = store.number(ShardNames.OLDEST);
    }
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
    OmapCursor lists = new OmapCursor(store, store.names().head(), OmapKeys.CHANGES);
    boolean valid = lists.first();
    while (valid) {
      byte[] key = lists.key();
      long transaction = store.checked(() -> OmapKeys.transactionOfChanges(key));
      found.add(transaction);
      // Skips the other chunks of the list; no chunk has the greatest number.
      valid = lists.seek(OmapKeys.changes(transaction, -1));
    }
    return found;
  }

  @Override
  public void verify(Consumer<String> findings) {
    new ShardVerifier(store, reader, findings).run(oldest, listing);
  }

  /** Closes the shard after the operations of other threads. Called once. */
  @Override
  public void close() {
    try {
      store.close();
    } finally {
      changes.values().forEach(RadosChanges::end);
    }
  }
}
