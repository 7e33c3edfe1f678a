package io.skerry.iod.rados;

import io.skerry.iod.engine.Place;
import io.skerry.iod.rados.ShardStore.ObjectChange;
import io.skerry.iod.rados.VersionReader.Found;
import io.skerry.iod.rados.library.Pool.Pair;
import io.skerry.iod.rados.library.Pool.Pairs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.Lock;

/**
 * Removes versions of a shard: those of transactions that are dropped, and those that no reader can
 * see. Both follow the lists of changes, so that the time is proportional to the changes. A list is
 * removed after the versions that it names; an interrupted removal can therefore be repeated. Calls
 * must not overlap.
 */
final class Removal {
  private static final byte[] ALL = {};

  private final ShardStore store;
  private final VersionReader reader;

  Removal(ShardStore store, VersionReader reader) {
    this.store = store;
    this.reader = reader;
  }

  /** The versions and large values to remove from an object. */
  private static final class Edit {
    private final List<byte[]> keys = new ArrayList<>();
    private final List<String> attributes = new ArrayList<>();
    private final List<String> data = new ArrayList<>();

    /** True if the removal may leave the object without versions. */
    private boolean mayEmpty;

    void remove(Place place, long transaction) {
      if (place instanceof Place.ScratchPad) {
        attributes.add(ShardNames.pad(transaction));
      } else {
        keys.add(OmapKeys.version(place, transaction));
      }
    }
  }

  /** A list of changes with its key. */
  private record Listed(byte[] key, long transaction, List<ChangeList.Change> changes) {}

  /** Returns the change list at the cursor; empty if {@code found} is false. */
  private Optional<Listed> next(OmapCursor lists, boolean found) {
    if (!found) {
      return Optional.empty();
    }
    byte[] key = lists.key();
    byte[] list = lists.value();
    return Optional.of(
        store.checked(
            () -> new Listed(key, OmapKeys.transactionOfChanges(key), ChangeList.decode(list))));
  }

  private OmapCursor lists() {
    return new OmapCursor(store, store.names().head(), OmapKeys.CHANGES);
  }

  /** Removes all changes of the transactions in a range, both ends included. */
  void drop(long first, long last) {
    OmapCursor lists = lists();
    Optional<Listed> list = next(lists, lists.seek(OmapKeys.changes(first)));
    while (list.isPresent() && list.get().transaction <= last) {
      long transaction = list.get().transaction;
      NavigableMap<Long, Edit> edits = new TreeMap<>();
      for (ChangeList.Change change : list.get().changes) {
        Edit edit = edits.computeIfAbsent(change.place().object(), _ -> new Edit());
        edit.mayEmpty = true;
        edit.remove(change.place(), transaction);
        addData(edit, change.place(), transaction, change.stripes());
      }
      apply(edits);
      forget(list.get());
      list = next(lists, lists.next());
    }
  }

  private void addData(Edit edit, Place place, long transaction, int stripes) {
    for (int n = 0; n < stripes; n++) {
      edit.data.add(store.names().data(place, transaction, n));
    }
  }

  private void forget(Listed list) {
    boolean unused = store.changeHead(change -> change.removePairs(List.of(list.key)));
  }

  /**
   * Removes the versions that no read at or above a transaction returns.
   *
   * <p>A change of transaction t, not above {@code oldest}, hides the next older version of its
   * place. Lists are processed in ascending order, so there is at most one such version: all others
   * were removed with the earlier lists. If the change is a removal, it is removed as well, since
   * nothing older remains that it would hide.
   */
  void purge(long oldest) {
    byte[] number = ShardStore.encode(oldest);
    setOldest(number);
    OmapCursor lists = lists();
    Optional<Listed> list = next(lists, lists.first());
    while (list.isPresent() && list.get().transaction <= oldest) {
      NavigableMap<Long, TreeSet<Place>> places = new TreeMap<>();
      for (ChangeList.Change change : list.get().changes) {
        boolean unused =
            places
                .computeIfAbsent(change.place().object(), _ -> new TreeSet<>())
                .add(change.place());
      }
      NavigableMap<Long, Edit> edits = new TreeMap<>();
      for (Map.Entry<Long, TreeSet<Place>> each : places.entrySet()) {
        edits.put(each.getKey(), hidden(each.getKey(), each.getValue(), list.get().transaction));
      }
      apply(edits);
      forget(list.get());
      list = next(lists, lists.next());
    }
  }

  private void setOldest(byte[] number) {
    boolean unused = store.changeHead(change -> change.attribute(ShardNames.OLDEST, number));
  }

  /** Returns the versions of an object that the changes of a transaction hide. */
  private Edit hidden(long object, TreeSet<Place> places, long transaction) {
    Edit edit = new Edit();
    OmapCursor cursor = new OmapCursor(store, store.names().object(object), ALL);
    for (Place place : places) {
      if (place instanceof Place.ScratchPad) {
        hide(edit, pads(place, transaction), transaction);
      } else {
        hide(edit, versions(cursor, place, transaction), transaction);
      }
    }
    return edit;
  }

  private List<Found> pads(Place place, long transaction) {
    return reader
        .pads(place.object())
        .tailMap(ShardNames.pad(transaction), true)
        .entrySet()
        .stream()
        .limit(2)
        .map(entry -> store.checked(() -> VersionReader.pad(place, entry)))
        .toList();
  }

  /** Returns the newest version of a place up to a transaction, and the one before. */
  private List<Found> versions(OmapCursor cursor, Place place, long transaction) {
    List<Found> found = new ArrayList<>();
    byte[] prefix = OmapKeys.place(place);
    boolean valid = cursor.seek(OmapKeys.version(place, transaction));
    while (valid && found.size() < 2 && OmapKeys.startsWith(cursor.key(), prefix)) {
      byte[] key = cursor.key();
      byte[] value = cursor.value();
      found.add(store.checked(() -> VersionReader.found(place.object(), key, value)));
      if (found.size() < 2) {
        valid = cursor.next();
      }
    }
    return found;
  }

  /**
   * Removes the version that precedes a version, and the version itself if it is a removal. If the
   * version is missing, an interrupted call has removed it, after everything older.
   */
  private void hide(Edit edit, List<Found> found, long transaction) {
    if (found.isEmpty() || found.getFirst().version().transaction() != transaction) {
      return;
    }
    if (found.size() > 1) {
      Found older = found.get(1);
      edit.remove(older.version().place(), older.version().transaction());
      addData(
          edit, older.version().place(), older.version().transaction(), older.record().stripes());
    }
    if (found.getFirst().record().version().isRemoved()) {
      edit.remove(found.getFirst().version().place(), transaction);
      edit.mayEmpty = true;
    }
  }

  /** Removes large values, then versions, and then objects without versions. */
  private void apply(Map<Long, Edit> edits) {
    List<ObjectChange> data = new ArrayList<>();
    List<ObjectChange> versions = new ArrayList<>();
    List<Long> emptied = new ArrayList<>();
    edits.forEach((object, edit) -> {
      // A repeated call finds a large value only by its version, which is removed later.
      edit.data.forEach(name ->
          data.add(
              new ObjectChange(
                  name,
                  change -> {
                    var unused = change.remove();
                  })));
      if (!edit.keys.isEmpty() || !edit.attributes.isEmpty()) {
        versions.add(
            new ObjectChange(
                store.names().object(object),
                change -> {
                  var unused = change.removePairs(edit.keys);
                  edit.attributes.forEach(change::removeAttribute);
                }));
      }
      if (edit.mayEmpty) {
        emptied.add(object);
      }
    });
    store.changeAll(data);
    store.changeAll(versions);
    removeEmpty(emptied);
  }

  private void removeEmpty(List<Long> candidates) {
    Lock lock = store.objects().writeLock();
    lock.lock();
    try {
      store.settleAll();
      List<Long> empty = candidates.stream().filter(this::isEmpty).toList();
      if (empty.isEmpty()) {
        return;
      }
      store.changeAll(
          empty.stream()
              .map(object ->
                  new ObjectChange(
                      store.names().object(object),
                      change -> {
                        var unused = change.remove();
                      }))
              .toList());
      List<byte[]> keys = empty.stream().map(OmapKeys::index).toList();
      boolean unused = store.changeHead(change -> change.removePairs(keys));
    } finally {
      lock.unlock();
    }
  }

  private boolean isEmpty(long object) {
    String name = store.names().object(object);
    return reader.pads(object).isEmpty()
        && store.call(pool -> pool.pairs(name, ALL, ALL, 1)).pairs().isEmpty();
  }

  /** Removes all objects of the shard except its head. */
  void removeAll() {
    drop(1, Long.MAX_VALUE);
    while (true) {
      Pairs objects =
          store.call(pool -> pool.pairs(store.names().head(), ALL, OmapKeys.OBJECTS, 256));
      for (Pair pair : objects.pairs()) {
        removeObject(store.checked(() -> OmapKeys.object(pair.key())));
      }
      List<byte[]> keys = objects.pairs().stream().map(Pair::key).toList();
      if (keys.isEmpty()) {
        return;
      }
      boolean unused = store.changeHead(change -> change.removePairs(keys));
    }
  }

  private void removeObject(long object) {
    List<ObjectChange> data = new ArrayList<>();
    reader.each(
        object,
        found -> {
          Edit edit = new Edit();
          addData(
              edit,
              found.version().place(),
              found.version().transaction(),
              found.record().stripes());
          edit.data.forEach(name ->
              data.add(
                  new ObjectChange(
                      name,
                      change -> {
                        var unused = change.remove();
                      })));
        },
        _ -> {});
    data.add(
        new ObjectChange(
            store.names().object(object),
            change -> {
              var unused = change.remove();
            }));
    store.changeAll(data);
  }
}
