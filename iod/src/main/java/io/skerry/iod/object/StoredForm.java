package io.skerry.iod.object;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Changes;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.PlaceCodec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The form in which values are stored: the value and a trailer that states whether there is a
 * checksum. Local, thread-safe.
 *
 * <pre>
 * +0                      +n          +n+8    +n+12
 * +-----------------------+-----------+-------+
 * | value                 | checksum  | tag   |
 * |                       | u64       | u32   |
 * +-----------------------+-----------+-------+
 *
 * tag       5ac36d31  the checksum covers place and value
 *           a53c92ce  no checksum; the field is zero
 * checksum  {@link Crc64} of the place in the form of {@link PlaceCodec}, followed by the value
 * </pre>
 *
 * <p>All bits of the two tags differ, so damage to a few bits does not turn one into the other. The
 * trailer has a fixed size, so the size of a value follows from that of its stored form. The
 * checksum of a pair covers its object and key, and that of a tile or block its object and number;
 * a value that the engine returns for the wrong place is therefore detected.
 */
final class StoredForm {
  /** The size of the trailer in bytes. */
  static final int TRAILER = 12;

  /** The maximum size of a value, in bytes. */
  static final long LARGEST_VALUE = Changes.LARGEST_VALUE - TRAILER;

  private static final int WITH_CHECKSUM = 0x5ac36d31;
  private static final int WITHOUT_CHECKSUM = ~WITH_CHECKSUM;
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private StoredForm() {}

  static void requireSize(long size) {
    if (size < 0 || size > LARGEST_VALUE) {
      throw new IllegalArgumentException(
          "size of a value: expected=0 to " + LARGEST_VALUE + " actual=" + size);
    }
  }

  /** Writes the trailer after the value in a buffer. */
  static MemorySegment seal(Place place, ValueBuffer buffer, ChecksumLevel level) {
    MemorySegment stored = buffer.stored();
    long size = stored.byteSize() - TRAILER;
    if (level.isStored()) {
      stored.set(U64, size, checksum(place, buffer.bytes()));
      stored.set(U32, size + Long.BYTES, WITH_CHECKSUM);
    } else {
      stored.set(U64, size, 0);
      stored.set(U32, size + Long.BYTES, WITHOUT_CHECKSUM);
    }
    return stored;
  }

  private static long checksum(Place place, MemorySegment value) {
    return Crc64.update(Crc64.of(MemorySegment.ofArray(PlaceCodec.encode(place))), value);
  }

  /**
   * Returns the size of a value.
   *
   * @param stored the size of its stored form in bytes
   * @throws FormatException if the stored form is too small
   */
  static long size(Place place, long stored) {
    if (stored < TRAILER) {
      throw new FormatException("stored size of a value", "at least " + TRAILER, stored)
          .inObject(PlaceNames.of(place));
    }
    return stored - TRAILER;
  }

  /** Returns whether a value was stored without a checksum; false if the trailer is damaged. */
  static boolean lacksChecksum(MemorySegment stored) {
    long tag = stored.byteSize() - Integer.BYTES;
    return stored.byteSize() >= TRAILER && stored.get(U32, tag) == WITHOUT_CHECKSUM;
  }

  /**
   * Returns the value of a stored form, as a slice of the same memory.
   *
   * @throws FormatException if the trailer is damaged, or the level demands checks and the checksum
   *     differs
   */
  static MemorySegment open(Place place, MemorySegment stored, ChecksumLevel level) {
    long size = size(place, stored.byteSize());
    MemorySegment value = stored.asSlice(0, size);
    long found = stored.get(U64, size);
    int tag = stored.get(U32, size + Long.BYTES);
    if (tag == WITHOUT_CHECKSUM) {
      require("empty checksum of a value", place, 0, found);
    } else {
      require("tag of a value", place, WITH_CHECKSUM & 0xffffffffL, tag & 0xffffffffL);
      if (level.isStored()) {
        require("checksum of a value", place, checksum(place, value), found);
      }
    }
    return value;
  }

  private static void require(String field, Place place, long expected, long actual) {
    if (expected != actual) {
      throw new FormatException(field, Long.toHexString(expected), Long.toHexString(actual))
          .inObject(PlaceNames.of(place));
    }
  }
}
