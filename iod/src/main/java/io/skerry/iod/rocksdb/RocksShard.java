package io.skerry.iod.rocksdb;

import io.skerry.iod.engine.shard.AbstractShard;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A shard in a database of its own. */
final class RocksShard extends AbstractShard<RocksChanges> {
  private final ShardStore store;
  private final long largeBytes;
  private final VersionReader reader;
  private final FirstVersions firsts;
  private final Removal removal;

  /** The argument of the last purge that has ended. */
  private volatile long purged;

  RocksShard(int number, ShardStore store, long largeBytes) {
    super(number, store.faults().container(), store.number(StoreKeys.oldest()));
    this.store = store;
    this.largeBytes = largeBytes;
    this.reader = new VersionReader(store);
    this.firsts = new FirstVersions(store);
    this.removal = new Removal(store, firsts);
    this.purged = store.number(StoreKeys.purged());
  }

  ShardStore store() {
    return store;
  }

  @Override
  public void requireWriting() {
    store.requireWriting();
  }

  @Override
  public long mark() {
    return store.number(StoreKeys.mark());
  }

  @Override
  protected boolean hasChanges(long transaction) {
    try (StoreCursor cursor = store.cursor()) {
      return cursor.seek(StoreKeys.changes(transaction, 0))
          && StoreKeys.isChanges(cursor.key())
          && StoreKeys.transactionOfChanges(cursor.key()) == transaction;
    }
  }

  @Override
  protected RocksChanges begin(long transaction) {
    return new RocksChanges(this, store, firsts, transaction, largeBytes);
  }

  @Override
  protected void drop(long first, long last) {
    removal.drop(first, last);
  }

  @Override
  protected boolean removeHidden(long transaction) {
    if (transaction == purged) {
      return true;
    }
    boolean isComplete = removal.purge(transaction);
    if (isComplete) {
      purged = transaction;
    }
    return isComplete;
  }

  @Override
  protected VersionReads reads() {
    return reader;
  }

  @Override
  public void persist() {
    requireRecovered();
    store.persist();
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
    new ShardVerifier(store, findings).run(oldest(), purged);
  }

  @Override
  protected void closeStore() {
    store.close();
  }
}
