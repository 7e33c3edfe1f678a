package io.skerry.iod.rocksdb;

import io.skerry.iod.engine.shard.VersionRecord;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * A position among the keys of a database, in ascending order. Counts as a use of the database, and
 * is therefore closed by the thread that created it, at the end of one operation. Not thread-safe.
 */
final class StoreCursor implements AutoCloseable {
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  private final ShardStore store;
  private final RocksIterator iterator;

  /** Memory for the first byte of a value; empty until it is needed. */
  private ByteBuffer first = NONE;

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
    store.seeking();
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

  /**
   * Moves to the first key that is not less than the given one, which must not be less than the
   * keys passed before. Seeks only if the cursor is neither at this key nor among the versions of
   * the same place.
   *
   * @return false if there is none
   */
  boolean forward(byte[] key) {
    if (!iterator.isValid()) {
      return seek(key);
    }
    byte[] at = iterator.key();
    if (Arrays.compareUnsigned(at, key) >= 0) {
      return true;
    }
    return StoreKeys.isOf(at, key) && next() && Arrays.compareUnsigned(key(), key) >= 0
        || seek(key);
  }

  /** Returns false at the end, and throws if the iterator failed, which also makes it invalid. */
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
    return copyFirst();
  }

  /** Copies the first byte of the value, and returns the size of the value. */
  private int copyFirst() {
    if (first.capacity() == 0) {
      first = ByteBuffer.allocateDirect(1);
    }
    return iterator.value(first.clear());
  }

  /**
   * Returns the kind of a version, without copying its value.
   *
   * @throws io.skerry.exception.FormatException if the value is not that of a version
   */
  VersionRecord.Kind kind() {
    int size = copyFirst();
    return store.checked(() -> VersionRecord.kind(size == 0 ? -1 : first.get(0)));
  }

  @Override
  public void close() {
    store.release(iterator);
  }
}
