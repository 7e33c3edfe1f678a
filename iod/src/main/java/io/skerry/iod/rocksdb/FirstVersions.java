package io.skerry.iod.rocksdb;

import io.skerry.iod.engine.Place;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Finds changes that store the first version of their place, so that a purge need not look for an
 * older one. A bulk load consists of such changes. Nothing of this is stored: a purge after the
 * next opening looks for older versions of all places that the lists of changes name.
 *
 * <p>A change is the first of its place if the shard had no version of the object when this object
 * first changed it, and a filter of the places that have been changed since does not contain the
 * place. Their number and the number of objects are limited; without room, a change is not found to
 * be the first one. Thread-safe.
 */
final class FirstVersions {
  private static final int MOST_OBJECTS = 1 << 16;

  private final ShardStore store;
  private final Map<Long, Boolean> wasEmpty = new HashMap<>();
  private final PlaceFilter changed = new PlaceFilter();

  /** The chunks of lists that name first versions only, by transaction. */
  private final NavigableMap<Long, BitSet> chunks = new TreeMap<>();

  private long highest;

  /** The highest transaction that was changed when a lower one changed one of its places. */
  private long overtaken;

  FirstVersions(ShardStore store) {
    this.store = store;
  }

  /**
   * Returns whether a value that is about to be stored is certainly the first version of its place.
   */
  synchronized boolean isFirst(Place place, long transaction) {
    boolean isKnown = wasEmpty(place.object());
    boolean isFirst = isKnown && changed.add(place);
    if (!isFirst && transaction < highest) {
      // A higher transaction may have stored what was the first version until now.
      overtaken = highest;
      chunks.headMap(overtaken, true).clear();
    }
    highest = Math.max(highest, transaction);
    return isFirst;
  }

  private boolean wasEmpty(long object) {
    Boolean known = wasEmpty.get(object);
    if (known != null) {
      return known;
    }
    if (wasEmpty.size() == MOST_OBJECTS) {
      return false;
    }
    byte[] start = StoreKeys.startOf(object);
    try (StoreCursor versions = store.cursor()) {
      boolean isEmpty = !versions.seek(start) || !StoreKeys.startsWith(versions.key(), start);
      wasEmpty.put(object, isEmpty);
      return isEmpty;
    }
  }

  /** Notes that a chunk of the list of a transaction names first versions only. */
  synchronized void listed(long transaction, int chunk) {
    if (transaction > overtaken) {
      chunks.computeIfAbsent(transaction, _ -> new BitSet()).set(chunk);
    }
  }

  /** Returns whether a chunk of the list of a transaction names first versions only. */
  synchronized boolean isListed(long transaction, int chunk) {
    BitSet found = chunks.get(transaction);
    return found != null && found.get(chunk);
  }

  /** Forgets the lists of a range of transactions, both ends included, which are removed. */
  synchronized void forget(long first, long last) {
    chunks.subMap(first, true, last, true).clear();
  }
}
