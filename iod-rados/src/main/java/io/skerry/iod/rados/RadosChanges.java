package io.skerry.iod.rados;

import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.shard.AbstractChanges;
import io.skerry.iod.engine.shard.VersionRecord;
import io.skerry.iod.rados.ShardStore.ObjectChange;
import io.skerry.iod.rados.ShardStore.PreparedChange;
import io.skerry.iod.rados.library.Pool.Pair;
import io.skerry.iod.rados.library.WriteOperation;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Lock;

/**
 * Changes that are stored in batches. The list of the places of a batch is stored before anything
 * else of the batch, so an abort finds everything that was stored; then all objects of the batch
 * are changed at the same time, while the next batch is filled. All that the cluster has confirmed
 * is durable.
 */
final class RadosChanges extends AbstractChanges {
  /**
   * The assumed memory of a change in addition to its value, in bytes; about that of a short key.
   */
  private static final int KEY = 100;

  /** The largest number of batches that are on their way to the cluster. */
  private static final int MOST_IN_FLIGHT = 2;

  private final ShardStore store;
  private final ValueLimits limits;
  private final ChangeList list = new ChangeList();

  /** Chunks of the list that are not stored yet. */
  private final List<byte[]> chunks = new ArrayList<>();

  private int stored;

  /** The record that the batch stores for each place. */
  private final Map<Place, byte[]> records = new LinkedHashMap<>();

  /** Large values, or their removals, that the batch stores in objects of their own. */
  private final List<PreparedChange> data = new ArrayList<>();

  private long bytes;

  /** The batches that were passed to the cluster, in their order. */
  private final Deque<InFlight> inFlight = new ArrayDeque<>();

  /** The number of stripes of the large values of this transaction. */
  private final Map<Place, Integer> large = new HashMap<>();

  /** Objects that this transaction has added to the index. */
  private final Set<Long> indexed = new HashSet<>();

  /**
   * Sizes in bytes.
   *
   * @param large the size from which values are stored in objects of their own
   * @param stripe the maximum size of these objects; see {@link StripedRecord#stripe}
   * @param batch the size at which a batch is stored
   */
  record ValueLimits(long large, int stripe, long batch) {
    /** Attributes of objects are limited to 64 KiB. */
    private static final long LARGEST_PAD = 1 << 15;

    private static final long LARGEST_PAIR = 1 << 20;

    boolean isLarge(Place place, long size) {
      long most = place instanceof Place.ScratchPad ? LARGEST_PAD : LARGEST_PAIR;
      return size >= Math.min(large, most);
    }
  }

  RadosChanges(RadosShard shard, ShardStore store, long transaction, ValueLimits limits) {
    super(shard, store.faults().container(), transaction);
    this.store = store;
    this.limits = limits;
  }

  @Override
  protected void store(Place place, MemorySegment value) {
    run(() -> {
      if (limits.isLarge(place, value.byteSize())) {
        putLarge(place, value);
      } else {
        change(place, VersionRecord.small(value), 0);
      }
    });
  }

  private void putLarge(Place place, MemorySegment value) {
    long size = value.byteSize();
    int stripe = StripedRecord.stripe(size, limits.stripe());
    int stripes = StripedRecord.stripes(size, stripe);
    change(place, StripedRecord.large(size, stripe), stripes);
    for (int n = 0; n < stripes; n++) {
      long from = (long) n * stripe;
      MemorySegment part = value.asSlice(from, Math.min(stripe, size - from));
      data.add(new PreparedChange(store.names().data(place, transaction(), n), store.data(part)));
      bytes += part.byteSize();
      storeIfFull();
    }
  }

  @Override
  public synchronized void remove(Place place) {
    run(() -> change(place, VersionRecord.removed(), 0));
  }

  /** Adds a change, and removes stripes of an earlier value that the new one does not replace. */
  private void change(Place place, byte[] record, int stripes) {
    list.add(new ChangeList.Change(place, stripes));
    if (list.size() >= ChangeList.CHUNK) {
      chunks.add(list.take());
    }
    int before = large.getOrDefault(place, 0);
    for (int n = stripes; n < before; n++) {
      data.add(
          new PreparedChange(
              store.names().data(place, transaction(), n),
              store.call(pool -> pool.change().remove())));
    }
    if (stripes > 0) {
      large.put(place, stripes);
    } else if (before > 0) {
      large.remove(place);
    }
    records.put(place, record);
    bytes += record.length + KEY;
    storeIfFull();
  }

  private void storeIfFull() {
    if (bytes >= limits.batch()) {
      storeBatch();
    }
  }

  private void storeBatch() {
    if (records.isEmpty() && data.isEmpty()) {
      return;
    }
    Lock lock = store.objects().readLock();
    lock.lock();
    try {
      storeList();
      awaitUntil(MOST_IN_FLIGHT - 1);
      inFlight.add(store.start(data, versions()));
    } finally {
      lock.unlock();
      releaseData();
    }
    records.clear();
    bytes = 0;
  }

  /** Waits until at most some batches are in flight. */
  private void awaitUntil(int most) {
    while (inFlight.size() > most) {
      store.await(inFlight.remove());
    }
  }

  private void storeAll() {
    storeBatch();
    awaitUntil(0);
  }

  private void storeList() {
    if (list.size() > 0) {
      chunks.add(list.take());
    }
    List<Pair> pairs = new ArrayList<>();
    for (byte[] chunk : chunks) {
      pairs.add(new Pair(OmapKeys.changes(transaction(), stored), chunk));
      stored = Math.addExact(stored, 1);
    }
    for (Place place : records.keySet()) {
      if (indexed.add(place.object())) {
        pairs.add(new Pair(OmapKeys.index(place.object()), new byte[0]));
      }
    }
    chunks.clear();
    if (!pairs.isEmpty()) {
      boolean unused = store.changeHead(change -> change.pairs(pairs));
    }
  }

  /** Returns the changes of the versions, one for each object. */
  private List<ObjectChange> versions() {
    Map<Long, Map<Place, byte[]>> objects = new LinkedHashMap<>();
    records.forEach((place, record) -> {
      objects.computeIfAbsent(place.object(), _ -> new LinkedHashMap<>()).put(place, record);
    });
    List<ObjectChange> changes = new ArrayList<>();
    objects.forEach((object, places) ->
        changes.add(
            new ObjectChange(store.names().object(object), change -> versions(change, places))));
    return changes;
  }

  private void versions(WriteOperation change, Map<Place, byte[]> places) {
    List<Pair> pairs = new ArrayList<>();
    places.forEach((place, record) -> {
      if (place instanceof Place.ScratchPad) {
        var unused = change.attribute(ShardNames.pad(transaction()), record);
      } else {
        pairs.add(new Pair(OmapKeys.version(place, transaction()), record));
      }
    });
    var unused = change.pairs(pairs);
  }

  private void releaseData() {
    data.forEach(each -> each.operation().close());
    data.clear();
  }

  @Override
  public synchronized void flush() {
    run(this::storeAll);
  }

  @Override
  public synchronized void prepare(Durability durability) {
    run(this::storeAll);
    end();
  }

  @Override
  protected void release() {
    // What is removed next must not be stored afterwards.
    inFlight.forEach(store::settle);
    inFlight.clear();
    releaseData();
    records.clear();
    large.clear();
  }
}
