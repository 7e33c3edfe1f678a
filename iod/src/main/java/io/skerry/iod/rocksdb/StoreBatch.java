package io.skerry.iod.rocksdb;

import io.skerry.iod.engine.Durability;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Key removals that are written in batches of bounded size, in the order in which they were added.
 * After a crash, a prefix of them has taken effect. Not thread-safe.
 */
final class StoreBatch implements AutoCloseable {
  private static final long BYTES = 1 << 20;

  private final ShardStore store;
  private final WriteBatch batch = new WriteBatch();

  StoreBatch(ShardStore store) {
    this.store = store;
  }

  void remove(byte[] key) {
    try {
      batch.delete(key);
    } catch (RocksDBException e) {
      throw store.faults().of(e);
    }
    if (batch.getDataSize() >= BYTES) {
      write();
    }
  }

  void write() {
    store.write(batch, Durability.BUFFERED);
    batch.clear();
  }

  @Override
  public void close() {
    batch.close();
  }
}
