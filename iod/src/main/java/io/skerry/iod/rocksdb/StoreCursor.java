package io.skerry.iod.rocksdb;

import java.nio.ByteBuffer;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * A position among the keys of a database, in ascending order. Counts as a use of the database, and
 * is therefore closed by the thread that created it, at the end of one operation. Not thread-safe.
 */
final class StoreCursor implements AutoCloseable {
  private final ShardStore store;
  private final RocksIterator iterator;

  StoreCursor(ShardStore store, RocksIterator iterator) {
    this.store = store;
    this.iterator = iterator;
  }

  /**
   * Moves to the first key that is not less than the given one.
   *
   * @return false if there is none
   */
  boolean seek(byte[] key) {
    iterator.seek(key);
    return isValid();
  }

  /**
   * Moves to the next key.
   *
   * @return false if there is none
   */
  boolean next() {
    iterator.next();
    return isValid();
  }

  /** An iterator that fails becomes invalid, like one that has reached the end. */
  private boolean isValid() {
    if (iterator.isValid()) {
      return true;
    }
    try {
      iterator.status();
      return false;
    } catch (RocksDBException e) {
      throw store.faults().of(e);
    }
  }

  byte[] key() {
    return iterator.key();
  }

  byte[] value() {
    return iterator.value();
  }

  /** Returns the size of the value in bytes, without copying it. */
  long valueSize() {
    return iterator.value(ByteBuffer.allocateDirect(1));
  }

  @Override
  public void close() {
    store.release(iterator);
  }
}
