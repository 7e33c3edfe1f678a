package io.skerry.iod.rocksdb;

import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.shard.AbstractChanges;
import io.skerry.iod.engine.shard.VersionRecord;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Changes that are written to the database in batches, each of them while the next one is filled.
 * Each batch holds the part of the list of changes that names its places, so an abort finds
 * everything that was written. With {@link Durability#SYNCED}, the last batch is synced, and with
 * it all batches before.
 */
final class RocksChanges extends AbstractChanges {
  private final ShardStore store;
  private final long largeBytes;
  private final FirstVersions firsts;

  /** The places whose first version this transaction stores; a purge ignores this list. */
  private final ChangeList first = new ChangeList();

  /** All other places. */
  private final ChangeList list = new ChangeList();

  private final Set<Place> large = new HashSet<>();
  private final BatchPair batches;
  private int chunks;

  RocksChanges(
      RocksShard shard, ShardStore store, FirstVersions firsts, long transaction, long largeBytes) {
    super(shard, store.faults().container(), transaction);
    this.store = store;
    this.firsts = firsts;
    this.batches = new BatchPair(store);
    this.largeBytes = largeBytes;
  }

  private void change(Step<RocksDBException> step) {
    try {
      run(step);
    } catch (RocksDBException e) {
      throw store.faults().of(e);
    }
  }

  @Override
  protected void store(Place place, MemorySegment value) {
    change(() -> {
      if (value.byteSize() < largeBytes) {
        removeLarge(place);
        batches.batch().put(StoreKeys.version(place, transaction()), VersionRecord.small(value));
        listed(listOf(place), new ChangeList.Change(place, false));
      } else {
        putLarge(place, value);
        listed(listOf(place), new ChangeList.Change(place, true));
      }
    });
  }

  private void putLarge(Place place, MemorySegment value) throws RocksDBException {
    if (!batches.isEmpty() && batches.lacksRoomFor(value.byteSize())) {
      startWriting();
    }
    if (batches.isEmpty()) {
      batches.reserve(value.byteSize());
    }
    large.add(place);
    WriteBatch batch = batches.batch();
    batch.put(StoreKeys.version(place, transaction()), VersionRecord.large(value.byteSize()));
    byte[] key = StoreKeys.value(place, transaction());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocate(key.length).copyFrom(MemorySegment.ofArray(key));
      MemorySegment bytes =
          value.isNative() ? value : arena.allocate(value.byteSize()).copyFrom(value);
      batch.put(name.asByteBuffer(), bytes.asByteBuffer());
    }
  }

  /** Removes a large value that this transaction stored earlier. */
  private void removeLarge(Place place) throws RocksDBException {
    if (large.remove(place)) {
      batches.batch().delete(StoreKeys.value(place, transaction()));
    }
  }

  @Override
  public synchronized void remove(Place place) {
    change(() -> {
      removeLarge(place);
      batches.batch().put(StoreKeys.version(place, transaction()), VersionRecord.removed());
      // A purge removes what the removal hides, and the removal itself.
      listed(list, new ChangeList.Change(place, false));
    });
  }

  private ChangeList listOf(Place place) {
    return firsts.isFirst(place, transaction()) ? first : list;
  }

  private void listed(ChangeList to, ChangeList.Change change) throws RocksDBException {
    to.add(change);
    if (to.size() >= ChangeList.CHUNK) {
      putList(to);
    }
    if (batches.isFull()) {
      startWriting();
    }
  }

  private void putList(ChangeList from) throws RocksDBException {
    if (from.size() > 0) {
      batches.batch().put(StoreKeys.changes(transaction(), chunks), from.take());
      if (from.equals(first)) {
        firsts.listed(transaction(), chunks);
      }
      chunks = Math.addExact(chunks, 1);
    }
  }

  private void putLists() throws RocksDBException {
    putList(first);
    putList(list);
  }

  private void startWriting() throws RocksDBException {
    putLists();
    batches.startWriting();
  }

  private void finish(Durability durability) throws RocksDBException {
    putLists();
    batches.finish(durability);
  }

  @Override
  public synchronized void flush() {
    change(() -> finish(Durability.BUFFERED));
  }

  @Override
  public synchronized void prepare(Durability durability) {
    change(() -> finish(durability));
    end();
    store.releaseIdle();
  }

  @Override
  protected void release() {
    batches.close();
    large.clear();
  }
}
