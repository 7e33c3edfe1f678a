package io.skerry.iod.rados;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.shard.VersionRecord;
import java.nio.ByteBuffer;

/**
 * The record that an object stores for a version. A large value is stored in objects of its own,
 * its stripes; the location of a {@link VersionRecord} is the size of the largest stripe in bytes,
 * a big-endian u32.
 *
 * @param version the record
 */
record StripedRecord(VersionRecord version) {
  private static final int SLACK = 4096;

  static byte[] large(long size, int stripe) {
    return VersionRecord.large(size, ByteBuffer.allocate(Integer.BYTES).putInt(stripe).array());
  }

  /**
   * Returns the stripe size of a value, in bytes. If the last stripe would hold no more than 4 KiB
   * and no more than a 16th of the limit, the other stripes exceed the limit to hold these bytes as
   * well: a value of the size of the limit has a trailer, which is not worth another object.
   *
   * @param limit the size limit of an object, in bytes, from the options of the location
   */
  static int stripe(long size, int limit) {
    long parts = Math.max(1, (size - Math.min(SLACK, limit / 16) + limit - 1) / limit);
    long rest = Math.max(0, size - parts * limit);
    return Math.toIntExact(limit + (rest + parts - 1) / parts);
  }

  /** Returns the number of objects that hold a value. */
  static int stripes(long size, int stripe) {
    return (int) Math.max(1, (size + stripe - 1) / stripe);
  }

  /**
   * Checks a stored record.
   *
   * @throws FormatException if the bytes are malformed
   */
  static StripedRecord of(byte[] bytes) {
    StripedRecord record = new StripedRecord(VersionRecord.of(bytes, Integer.BYTES));
    if (record.version.isLarge() && record.stripe() < 1) {
      throw new FormatException("version: stripe", "at least 1", record.stripe());
    }
    return record;
  }

  /** Returns the stripe size of a large value, in bytes. */
  int stripe() {
    return version.location().getInt(0);
  }

  /** Returns the number of objects of a large value; 0 if it is not large. */
  int stripes() {
    return version.isLarge() ? stripes(version.size().orElse(0), stripe()) : 0;
  }
}
