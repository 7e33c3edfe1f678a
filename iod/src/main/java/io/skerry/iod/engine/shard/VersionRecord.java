package io.skerry.iod.engine.shard;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Changes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * The record that an engine stores for a version. Immutable; local, thread-safe.
 *
 * <pre>
 * +0   +1
 * +----+
 * | 00 |                     the place was removed
 * +----+-----------------+
 * | 01 | value           |   a small value: all bytes that follow
 * +----+--------+--------+-+
 * | 02 | size 8 | location |  a large value, stored apart; its size in bytes, most significant byte
 * +----+--------+----------+  first, and what the engine needs to find it
 * </pre>
 */
public final class VersionRecord {
  private static final byte REMOVED = 0;
  private static final byte SMALL = 1;
  private static final byte LARGE = 2;

  /** The kinds of versions. */
  public enum Kind {
    /** The place was removed. */
    REMOVED,
    /** The value is in the record. */
    SMALL,
    /** The value is stored apart. */
    LARGE
  }

  private final byte[] bytes;

  private VersionRecord(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns the record of a removal. */
  public static byte[] removed() {
    return new byte[] {REMOVED};
  }

  /** Returns the record of a small value. */
  public static byte[] small(MemorySegment value) {
    byte[] record = new byte[1 + Math.toIntExact(value.byteSize())];
    record[0] = SMALL;
    MemorySegment.copy(value, 0, MemorySegment.ofArray(record), 1, value.byteSize());
    return record;
  }

  /**
   * Returns the record of a large value.
   *
   * @param size the size of the value in bytes
   * @param location the bytes by which the engine finds the value
   */
  public static byte[] large(long size, byte... location) {
    return ByteBuffer.allocate(1 + Long.BYTES + location.length)
        .put(LARGE)
        .putLong(size)
        .put(location)
        .array();
  }

  /**
   * Returns the kind of a version.
   *
   * @param first the first byte of its record; -1 if the record is empty
   * @throws FormatException if there is no such kind
   */
  public static Kind kind(int first) {
    if (first < REMOVED || first > LARGE) {
      throw new FormatException("version: kind", "0 to 2", first);
    }
    return Kind.values()[first];
  }

  /**
   * Returns a stored record after checking its form.
   *
   * @param locationBytes the size of the location of a large value in bytes
   * @throws FormatException if the bytes do not have the form of a record
   */
  public static VersionRecord of(byte[] bytes, int locationBytes) {
    Kind kind = kind(bytes.length == 0 ? -1 : bytes[0]);
    int length =
        switch (kind) {
          case REMOVED -> 1;
          case SMALL -> bytes.length;
          case LARGE -> 1 + Long.BYTES + locationBytes;
        };
    if (bytes.length != length) {
      throw new FormatException("version: length", length, bytes.length);
    }
    VersionRecord record = new VersionRecord(bytes);
    if (kind == Kind.LARGE
        && (record.largeSize() < 0 || record.largeSize() > Changes.LARGEST_VALUE)) {
      throw new FormatException(
          "version: size", "at most " + Changes.LARGEST_VALUE, record.largeSize());
    }
    return record;
  }

  private long largeSize() {
    return ByteBuffer.wrap(bytes).getLong(1);
  }

  /** Returns whether the place was removed. Does not fail. */
  public boolean isRemoved() {
    return bytes[0] == REMOVED;
  }

  /** Returns whether the value is stored apart. Does not fail. */
  public boolean isLarge() {
    return bytes[0] == LARGE;
  }

  /** Returns the size of the value in bytes; empty if the place was removed. Does not fail. */
  public OptionalLong size() {
    return switch (bytes[0]) {
      case REMOVED -> OptionalLong.empty();
      case SMALL -> OptionalLong.of(bytes.length - 1);
      default -> OptionalLong.of(largeSize());
    };
  }

  /** Returns the bytes by which the engine finds a large value. Does not fail. */
  public ByteBuffer location() {
    return ByteBuffer.wrap(bytes).position(1 + Long.BYTES).slice();
  }

  /** Copies a small value to a segment of its size. */
  public void copySmall(MemorySegment to) {
    MemorySegment.copy(bytes, 1, to, ValueLayout.JAVA_BYTE, 0, bytes.length - 1);
  }

  @Override
  public String toString() {
    return "VersionRecord" + Arrays.toString(Arrays.copyOf(bytes, Math.min(bytes.length, 9)));
  }
}
