package io.skerry.iod.rocksdb;

import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.shard.VersionRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Removes versions of a shard: those of transactions that are dropped, and those that no reader can
 * see. Both follow the lists of changes, so that the time is proportional to the changes. A list is
 * removed after the versions that it names; an interrupted removal can therefore be repeated. Calls
 * must not overlap.
 */
final class Removal {
  /** The number of places that are purged together, in the order of their keys. */
  private static final int TOGETHER = 1 << 15;

  /** The maximum number of chunks of lists that a part of a purge follows. */
  private static final int MOST_LISTS = 1 << 10;

  private final ShardStore store;
  private final FirstVersions firsts;

  Removal(ShardStore store, FirstVersions firsts) {
    this.store = store;
    this.firsts = firsts;
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
    firsts.forget(first, last);
    store.releaseIdle();
    store.collectGarbage();
  }

  /**
   * Removes the versions that no read at or above {@code oldest} returns. For each place that a
   * transaction up to {@code oldest} changed, these are all versions up to {@code oldest} except
   * the newest one, and that one as well if it is a removal. Nothing is synced: a crash may undo a
   * purge, which is then repeated.
   *
   * @return true if all have been removed; false if only some have, and the next call continues
   */
  boolean purge(long oldest) {
    if (store.number(StoreKeys.oldest()) != oldest) {
      store.putNumber(StoreKeys.oldest(), oldest, Durability.BUFFERED);
    }
    boolean isComplete = purgeLists(oldest);
    if (isComplete) {
      firsts.forget(0, oldest);
      store.putNumber(StoreKeys.purged(), oldest, Durability.BUFFERED);
      store.releaseIdle();
      store.collectGarbage();
    }
    return isComplete;
  }

  private boolean purgeLists(long oldest) {
    try (StoreCursor lists = store.cursor();
        StoreCursor versions = store.cursor();
        StoreBatch batch = new StoreBatch(store)) {
      NavigableSet<byte[]> places = new TreeSet<>(Arrays::compareUnsigned);
      List<byte[]> followed = new ArrayList<>();
      boolean found = lists.seek(StoreKeys.changes(0, 0));
      while (found && StoreKeys.isChanges(lists.key())) {
        byte[] key = lists.key();
        long transaction = store.checked(() -> StoreKeys.transactionOfChanges(key));
        if (transaction > oldest) {
          break;
        }
        if (!firsts.isListed(transaction, StoreKeys.chunkOfChanges(key))) {
          byte[] list = lists.value();
          for (ChangeList.Change change : store.checked(() -> ChangeList.decode(list))) {
            places.add(StoreKeys.version(change.place(), oldest));
          }
        }
        followed.add(key);
        if (places.size() >= TOGETHER || followed.size() >= MOST_LISTS) {
          purge(versions, places, followed, batch);
          batch.write();
          return false;
        }
        found = lists.next();
      }
      purge(versions, places, followed, batch);
      batch.write();
    }
    return true;
  }

  /** Purges places, and removes the lists that have been followed. */
  private void purge(
      StoreCursor versions, NavigableSet<byte[]> places, List<byte[]> followed, StoreBatch batch) {
    places.forEach(place -> purge(versions, place, batch));
    places.clear();
    followed.forEach(batch::remove);
    followed.clear();
  }

  /**
   * Purges a place. Older versions are removed first, so that an interrupted call leaves the newest
   * version and the next older ones. If the newest version is a removal, it hides the others until
   * they are removed.
   *
   * @param newest the least key that the newest version to keep can have
   */
  private void purge(StoreCursor versions, byte[] newest, StoreBatch batch) {
    if (!versions.forward(newest) || !StoreKeys.isOf(versions.key(), newest)) {
      return;
    }
    byte[] kept = versions.key();
    boolean isRemoval = versions.kind() == VersionRecord.Kind.REMOVED;
    Deque<byte[]> hidden = new ArrayDeque<>();
    while (versions.next() && StoreKeys.isOf(versions.key(), newest)) {
      hidden.push(versions.key());
      if (versions.kind() == VersionRecord.Kind.LARGE) {
        // Removed before its version, without which a repeated call would not find the value.
        hidden.push(StoreKeys.valueOfVersion(versions.key()));
      }
    }
    hidden.forEach(batch::remove);
    if (isRemoval) {
      batch.remove(kept);
    }
  }
}
