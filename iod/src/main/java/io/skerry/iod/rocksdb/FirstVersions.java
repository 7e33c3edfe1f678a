package io.skerry.iod.rocksdb;

import io.skerry.iod.engine.Place;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Finds changes that store the first version of their place, so that a purge need not look for an
 * older one. A bulk load consists of such changes. None of this is stored: a purge after the next
 * opening looks for older versions of all places that the lists of changes name.
 *
 * <p>A change is the first of its place if the shard had no version of the stored object at the
 * first change of this object since the opening, and a filter of the places that have been changed
 * since does not contain the place. The numbers of these places and objects are limited; beyond the
 * limits, no change is recognized as the first. Thread-safe.
 */
final class FirstVersions {
  private static final int MOST_OBJECTS = 1 << 16;

  private final ShardStore store;
  private final Map<Long, Boolean> wasEmpty = new HashMap<>();
  private final PlaceFilter changed = new PlaceFilter();

  /** The chunks of lists of changes that name only first versions, by transaction. */
  private final NavigableMap<Long, BitSet> chunks = new TreeMap<>();

  private long highest;

  /** The highest transaction when a lower one last changed a place that may have had versions. */
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
      // A higher transaction may have stored a version that was the first until now.
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

  /** Records that a chunk of the list of a transaction names only first versions. */
  synchronized void listed(long transaction, int chunk) {
    if (transaction > overtaken) {
      chunks.computeIfAbsent(transaction, _ -> new BitSet()).set(chunk);
    }
  }

  /** Returns whether a chunk of the list of a transaction names only first versions. */
  synchronized boolean isListed(long transaction, int chunk) {
    BitSet found = chunks.get(transaction);
    return found != null && found.get(chunk);
  }

  /** Forgets the removed lists of a range of transactions, both ends included. */
  synchronized void forget(long first, long last) {
    chunks.subMap(first, true, last, true).clear();
  }
}
