package io.skerry.iod.rados;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Changes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * The value that an object stores for a version.
 *
 * <pre>
 * +0   +1
 * +----+
 * | 00 |                     the place was removed
 * +----+-----------------+
 * | 01 | value           |   a small value: all bytes that follow
 * +----+--------+--------+
 * | 02 | size 8 | stripe 4 | a large value, stored in objects of its own; its size and that of the
 * +----+--------+----------+ objects in bytes, most significant byte first
 * </pre>
 */
final class VersionRecord {
  private static final byte REMOVED = 0;
  private static final byte SMALL = 1;
  private static final byte LARGE = 2;
  private static final int LARGE_BYTES = 1 + Long.BYTES + Integer.BYTES;

  private final byte[] bytes;

  private VersionRecord(byte[] bytes) {
    this.bytes = bytes;
  }

  static byte[] removed() {
    return new byte[] {REMOVED};
  }

  static byte[] small(MemorySegment value) {
    byte[] record = new byte[1 + Math.toIntExact(value.byteSize())];
    record[0] = SMALL;
    MemorySegment.copy(value, 0, MemorySegment.ofArray(record), 1, value.byteSize());
    return record;
  }

  static byte[] large(long size, int stripe) {
    return ByteBuffer.allocate(LARGE_BYTES).put(LARGE).putLong(size).putInt(stripe).array();
  }

  /** Returns the number of objects that hold a value. */
  static int stripes(long size, int stripe) {
    return (int) Math.max(1, (size + stripe - 1) / stripe);
  }

  /**
   * Checks a stored record.
   *
   * @throws FormatException if the bytes have another form
   */
  static VersionRecord of(byte[] bytes) {
    byte kind = bytes.length == 0 ? -1 : bytes[0];
    int length =
        switch (kind) {
          case REMOVED -> 1;
          case SMALL -> bytes.length;
          case LARGE -> LARGE_BYTES;
          default -> throw new FormatException("version: kind", "0 to 2", kind);
        };
    if (bytes.length != length) {
      throw new FormatException("version: length", length, bytes.length);
    }
    VersionRecord record = new VersionRecord(bytes);
    if (kind == LARGE && (record.largeSize() < 0 || record.largeSize() > Changes.LARGEST_VALUE)) {
      throw new FormatException(
          "version: size", "at most " + Changes.LARGEST_VALUE, record.largeSize());
    }
    if (kind == LARGE && record.stripe() < 1) {
      throw new FormatException("version: stripe", "at least 1", record.stripe());
    }
    return record;
  }

  private long largeSize() {
    return ByteBuffer.wrap(bytes).getLong(1);
  }

  /** Returns the size of the objects of a large value in bytes. */
  int stripe() {
    return ByteBuffer.wrap(bytes).getInt(1 + Long.BYTES);
  }

  /** Returns the number of objects of a large value; 0 if it is not large. */
  int stripes() {
    return isLarge() ? stripes(largeSize(), stripe()) : 0;
  }

  boolean isRemoved() {
    return bytes[0] == REMOVED;
  }

  boolean isLarge() {
    return bytes[0] == LARGE;
  }

  /** Returns the size of the value in bytes; empty if the place was removed. */
  OptionalLong size() {
    return switch (bytes[0]) {
      case REMOVED -> OptionalLong.empty();
      case SMALL -> OptionalLong.of(bytes.length - 1);
      default -> OptionalLong.of(largeSize());
    };
  }

  /** Copies a small value to a segment of its size. */
  void copySmall(MemorySegment to) {
    MemorySegment.copy(bytes, 1, to, ValueLayout.JAVA_BYTE, 0, bytes.length - 1);
  }

  @Override
  public String toString() {
    return "VersionRecord" + Arrays.toString(Arrays.copyOf(bytes, Math.min(bytes.length, 9)));
  }
}
