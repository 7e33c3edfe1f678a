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
 * Changes that are written to the database in batches. Each batch holds the part of the list of
 * changes that names its places, so an abort finds everything that was written. The last batch is
 * synced, and with it all batches before.
 */
final class RocksChanges extends AbstractChanges {
  /** The size at which a batch is written, in bytes. */
  private static final int BATCH = 8 << 20;

  /** Room for the keys beside a large value, so that the batch need not be copied to grow. */
  private static final int KEYS = 1 << 16;

  private final ShardStore store;
  private final long largeBytes;
  private final FirstVersions firsts;

  /** The places of which this transaction stores the first version, for a purge to ignore. */
  private final ChangeList first = new ChangeList();

  /** All other places. */
  private final ChangeList list = new ChangeList();

  private final Set<Place> large = new HashSet<>();
  private WriteBatch batch = new WriteBatch();
  private long reserved;
  private int chunks;
  private boolean isWritten;

  RocksChanges(
      RocksShard shard, ShardStore store, FirstVersions firsts, long transaction, long largeBytes) {
    super(shard, store.faults().container(), transaction);
    this.store = store;
    this.firsts = firsts;
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
        batch.put(StoreKeys.version(place, transaction()), VersionRecord.small(value));
        listed(listOf(place), new ChangeList.Change(place, false));
      } else {
        putLarge(place, value);
        listed(listOf(place), new ChangeList.Change(place, true));
      }
    });
  }

  private void putLarge(Place place, MemorySegment value) throws RocksDBException {
    reserve(value.byteSize());
    large.add(place);
    batch.put(StoreKeys.version(place, transaction()), VersionRecord.large(value.byteSize()));
    byte[] key = StoreKeys.value(place, transaction());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocate(key.length).copyFrom(MemorySegment.ofArray(key));
      MemorySegment bytes =
          value.isNative() ? value : arena.allocate(value.byteSize()).copyFrom(value);
      batch.put(name.asByteBuffer(), bytes.asByteBuffer());
    }
  }

  /** Makes room in the batch, which would otherwise copy its content several times to grow. */
  private void reserve(long bytes) throws RocksDBException {
    if (batch.count() > 0 && batch.getDataSize() + bytes + KEYS > reserved) {
      write(Durability.BUFFERED);
    }
    if (bytes + KEYS > reserved) {
      batch.close();
      reserved = Math.max(BATCH, bytes) + KEYS;
      batch = new WriteBatch(Math.toIntExact(reserved));
    }
  }

  /** Removes a large value that this transaction has stored before. */
  private void removeLarge(Place place) throws RocksDBException {
    if (large.remove(place)) {
      batch.delete(StoreKeys.value(place, transaction()));
    }
  }

  @Override
  public synchronized void remove(Place place) {
    change(() -> {
      removeLarge(place);
      batch.put(StoreKeys.version(place, transaction()), VersionRecord.removed());
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
    if (batch.getDataSize() >= BATCH) {
      write(Durability.BUFFERED);
    }
  }

  private void putList(ChangeList from) throws RocksDBException {
    if (from.size() > 0) {
      batch.put(StoreKeys.changes(transaction(), chunks), from.take());
      if (from.equals(first)) {
        firsts.listed(transaction(), chunks);
      }
      chunks = Math.addExact(chunks, 1);
    }
  }

  private void write(Durability durability) throws RocksDBException {
    putList(first);
    putList(list);
    store.write(batch, durability);
    batch.clear();
    isWritten = true;
  }

  @Override
  public synchronized void flush() {
    change(() -> {
      if (batch.count() > 0) {
        write(Durability.BUFFERED);
      }
    });
  }

  @Override
  public synchronized void prepare(Durability durability) {
    change(() -> {
      if (batch.count() > 0) {
        write(durability);
      } else if (isWritten && durability == Durability.SYNCED) {
        store.persist();
      }
    });
    end();
    store.releaseIdle();
  }

  @Override
  protected void release() {
    batch.close();
    large.clear();
  }
}
