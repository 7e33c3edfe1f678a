package io.skerry.iod.rocksdb;

import io.skerry.iod.engine.Durability;
import java.util.Arrays;

/**
 * Removes versions of a shard: those of transactions that are dropped, and those that no reader can
 * see. Both follow the lists of changes, so that the time is proportional to the changes. A list is
 * removed after the versions that it names; an interrupted removal can therefore be repeated. Calls
 * must not overlap.
 */
final class Removal {
  private final ShardStore store;

  Removal(ShardStore store) {
    this.store = store;
  }

  /** Removes all changes of the transactions in a range, both ends included. */
  void drop(long first, long last) {
    try (StoreCursor lists = store.cursor();
        StoreBatch batch = new StoreBatch(store)) {
      boolean found = lists.seek(StoreKeys.changes(first, 0));
      while (found && StoreKeys.isChanges(lists.key())) {
        byte[] key = lists.key();
        long transaction = store.checked(() -> StoreKeys.transactionOfChanges(key));
        if (transaction > last) {
          break;
        }
        byte[] list = lists.value();
        for (ChangeList.Change change : store.checked(() -> ChangeList.decode(list))) {
          if (change.isLarge()) {
            batch.remove(StoreKeys.value(change.place(), transaction));
          }
          batch.remove(StoreKeys.version(change.place(), transaction));
        }
        batch.remove(key);
        found = lists.next();
      }
      batch.write();
    }
    store.releaseIdle();
  }

  /**
   * Removes what no read at or above a transaction returns.
   *
   * <p>A change of transaction t, not above {@code oldest}, hides the next older version of its
   * place. Lists are processed in ascending order, so there is at most one such version: all others
   * were removed with the lists before. If the change is a removal, it is removed as well, since
   * nothing older remains that it would hide.
   */
  void purge(long oldest) {
    store.putNumber(StoreKeys.oldest(), oldest, Durability.BUFFERED);
    try (StoreCursor lists = store.cursor();
        StoreCursor versions = store.cursor();
        StoreBatch batch = new StoreBatch(store)) {
      boolean found = lists.seek(StoreKeys.changes(0, 0));
      while (found && StoreKeys.isChanges(lists.key())) {
        byte[] key = lists.key();
        long transaction = store.checked(() -> StoreKeys.transactionOfChanges(key));
        if (transaction > oldest) {
          break;
        }
        byte[] list = lists.value();
        for (ChangeList.Change change : store.checked(() -> ChangeList.decode(list))) {
          purge(versions, StoreKeys.version(change.place(), transaction), batch);
        }
        batch.remove(key);
        found = lists.next();
      }
      batch.write();
    }
    store.releaseIdle();
    store.persist();
  }

  /**
   * Removes the version that precedes a version, and the version itself if it is a removal. If the
   * version is missing, an interrupted call has removed it, after everything older.
   */
  private void purge(StoreCursor versions, byte[] version, StoreBatch batch) {
    if (!versions.seek(version) || !Arrays.equals(versions.key(), version)) {
      return;
    }
    boolean removed = record(versions).isRemoved();
    if (versions.next() && StoreKeys.isOf(versions.key(), version)) {
      // The large value first: without its version, a repeated call would not find it.
      if (record(versions).isLarge()) {
        batch.remove(StoreKeys.valueOfVersion(versions.key()));
      }
      batch.remove(versions.key());
    }
    if (removed) {
      batch.remove(version);
    }
  }

  private VersionRecord record(StoreCursor versions) {
    byte[] record = versions.value();
    return store.checked(() -> VersionRecord.of(record));
  }
}
