package io.skerry.iod.rocksdb;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.PlaceCodec;
import io.skerry.iod.engine.shard.VersionRecord;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The keys of the database of a shard. All integers have their most significant byte first.
 *
 * <pre>
 * +0   +1
 * +----+----+
 * | 00 | 00 |                              identity: see {@link ShardIdentity}
 * | 00 | 01 |                              readable mark, in shard 0 only: u64
 * | 00 | 02 |                              argument of the last purge that has begun: u64
 * | 00 | 03 |                              argument of the last purge that has ended: u64
 * +----+----+------------+----------+
 * | 01 | place           | ~t  8    |      large value of transaction t, as it is
 * +----+-----------------+----------+
 * | 02 | place           | ~t  8    |      version of transaction t: see {@link VersionRecord}
 * +----+----------+------+----------+
 * | 03 | t  8     | chunk 4 |               places that transaction t changed: see {@link ChangeList}
 * +----+----------+---------+
 * </pre>
 *
 * <p>{@link PlaceCodec} describes the bytes of a place. Since they are followed by the complement
 * of the transaction, all versions of a place are adjacent, the newest one first, and one seek
 * finds the newest version at or below a transaction.
 *
 * <p>Large values have keys of their own, because RocksDB reads the value of each key at which an
 * iterator stops, blob files included: a walk over versions would read all tiles. They come before
 * the versions, so that no iterator runs over the end of its kind of keys into large values.
 */
final class StoreKeys {
  private static final byte VALUE = 1;
  private static final byte VERSION = 2;
  private static final byte CHANGES = 3;

  private static final byte[] IDENTITY_KEY = {0, 0};
  private static final byte[] MARK_KEY = {0, 1};
  private static final byte[] OLDEST_KEY = {0, 2};
  private static final byte[] PURGED_KEY = {0, 3};

  private StoreKeys() {}

  static byte[] identity() {
    return IDENTITY_KEY.clone();
  }

  static byte[] mark() {
    return MARK_KEY.clone();
  }

  static byte[] oldest() {
    return OLDEST_KEY.clone();
  }

  static byte[] purged() {
    return PURGED_KEY.clone();
  }

  /** Returns the key of a large value. */
  static byte[] value(Place place, long transaction) {
    return versioned(VALUE, place, transaction);
  }

  /** Returns the key of a version. */
  static byte[] version(Place place, long transaction) {
    return versioned(VERSION, place, transaction);
  }

  private static byte[] versioned(byte kind, Place place, long transaction) {
    ByteBuffer key = ByteBuffer.allocate(1 + PlaceCodec.size(place) + Long.BYTES);
    key.put(kind);
    PlaceCodec.write(place, key);
    return key.putLong(~transaction).array();
  }

  /** Returns the least key that follows the keys of all versions of a place. */
  static byte[] afterVersions(Place place) {
    // The complement of transaction 0 is the greatest one; one more byte makes the key greater.
    byte[] last = version(place, 0);
    return Arrays.copyOf(last, last.length + 1);
  }

  /** Returns the prefix of the keys of all versions of a part of an object. */
  static byte[] startOf(long object, int part) {
    return ByteBuffer.allocate(1 + Long.BYTES + 1)
        .put(VERSION)
        .putLong(object)
        .put((byte) part)
        .array();
  }

  /** Returns the prefix of the keys of all versions of an object. */
  static byte[] startOf(long object) {
    return ByteBuffer.allocate(1 + Long.BYTES).put(VERSION).putLong(object).array();
  }

  /** Returns whether a key begins with the bytes of another one. */
  static boolean startsWith(byte[] key, byte[] start) {
    return key.length >= start.length
        && Arrays.equals(key, 0, start.length, start, 0, start.length);
  }

  /** Returns a key that precedes those of all large values. */
  static byte[] firstValue() {
    return new byte[] {VALUE};
  }

  /** Returns a key that precedes those of all versions. */
  static byte[] firstVersion() {
    return new byte[] {VERSION};
  }

  static boolean isValue(byte[] key) {
    return key[0] == VALUE;
  }

  static boolean isVersion(byte[] key) {
    return key[0] == VERSION;
  }

  static boolean isChanges(byte[] key) {
    return key[0] == CHANGES;
  }

  /** Returns whether two keys, both of versions or both of large values, name the same place. */
  static boolean isOf(byte[] key, byte[] other) {
    int place = key.length - Long.BYTES;
    return key.length == other.length && Arrays.equals(key, 0, place, other, 0, place);
  }

  /** Returns the key of a large value, given the key of its version. */
  static byte[] valueOfVersion(byte[] version) {
    byte[] key = version.clone();
    key[0] = VALUE;
    return key;
  }

  /**
   * Decodes the place in the key of a version or large value.
   *
   * @throws FormatException if the key has another form
   */
  static Place place(byte[] key) {
    int end = checkedEnd(key);
    return PlaceCodec.decode(ByteBuffer.wrap(key, 1, end - 1));
  }

  /**
   * Decodes the transaction in the key of a version or large value.
   *
   * @throws FormatException if the key has another form
   */
  static long transaction(byte[] key) {
    long transaction = ~ByteBuffer.wrap(key).getLong(checkedEnd(key));
    if (transaction <= 0) {
      throw new FormatException(
          "key of a version: transaction", "1 to 2^63-1", Long.toUnsignedString(transaction));
    }
    return transaction;
  }

  private static int checkedEnd(byte[] key) {
    if (key.length < 1 + Long.BYTES) {
      throw new FormatException("key of a version: length", "at least 9", key.length);
    }
    return key.length - Long.BYTES;
  }

  /** Returns the key of a chunk of the list of the places that a transaction changed. */
  static byte[] changes(long transaction, int chunk) {
    return ByteBuffer.allocate(1 + Long.BYTES + Integer.BYTES)
        .put(CHANGES)
        .putLong(transaction)
        .putInt(chunk)
        .array();
  }

  /**
   * Decodes the transaction in the key of a list of changes.
   *
   * @throws FormatException if the key has another form
   */
  static long transactionOfChanges(byte[] key) {
    if (key.length != 1 + Long.BYTES + Integer.BYTES) {
      throw new FormatException("key of changes: length", 13, key.length);
    }
    long transaction = ByteBuffer.wrap(key).getLong(1);
    if (transaction <= 0) {
      throw new FormatException(
          "key of changes: transaction", "1 to 2^63-1", Long.toUnsignedString(transaction));
    }
    return transaction;
  }

  /** Returns the chunk number in the key of a list of changes whose transaction was decoded. */
  static int chunkOfChanges(byte[] key) {
    return ByteBuffer.wrap(key).getInt(1 + Long.BYTES);
  }
}
