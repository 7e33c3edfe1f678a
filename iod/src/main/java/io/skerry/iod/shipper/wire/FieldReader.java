package io.skerry.iod.shipper.wire;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Part;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.PlaceCodec;
import io.skerry.iod.engine.Range;
import io.skerry.iod.engine.Version;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads the fields that {@link FieldWriter} writes. Each method throws a {@link FormatException} if
 * the bytes end before the field, or if they are not a valid field. A length is compared with the
 * remaining bytes before memory is allocated. Not thread-safe.
 */
final class FieldReader {
  /** The size of the largest encoded place in bytes: a key whose bytes are all escaped. */
  static final int LARGEST_PLACE = Long.BYTES + 3 + 2 * Place.LONGEST_KEY;

  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final MemorySegment bytes;
  private long at;

  FieldReader(MemorySegment bytes) {
    this.bytes = bytes;
  }

  private long advance(long size) {
    long left = bytes.byteSize() - at;
    if (size > left) {
      throw new FormatException("message: bytes of a field", size, left);
    }
    long start = at;
    at += size;
    return start;
  }

  int u8() {
    return Byte.toUnsignedInt(bytes.get(ValueLayout.JAVA_BYTE, advance(Byte.BYTES)));
  }

  int i32() {
    return bytes.get(U32, advance(Integer.BYTES));
  }

  long u64() {
    return bytes.get(U64, advance(Long.BYTES));
  }

  int number(String field) {
    return number(field, Integer.MAX_VALUE);
  }

  int number(String field, int most) {
    int value = i32();
    if (value < 0 || value > most) {
      throw new FormatException("message: " + field, "0 to " + most, value);
    }
    return value;
  }

  /** Reads a count of items, each at least {@code size} bytes long. */
  int count(String field, int size) {
    return number(field, (int) Math.min(Integer.MAX_VALUE, (bytes.byteSize() - at) / size));
  }

  <E extends Enum<E>> E code(E[] values) {
    int code = u8();
    if (code >= values.length) {
      throw new FormatException(
          "message: code of " + values[0].getDeclaringClass().getSimpleName(),
          "0 to " + (values.length - 1),
          code);
    }
    return values[code];
  }

  boolean flag(String field) {
    int value = u8();
    if (value > 1) {
      throw new FormatException("message: " + field, "0 or 1", value);
    }
    return value == 1;
  }

  String text() {
    int size = number("length of a text", FieldWriter.LONGEST_TEXT);
    byte[] text = bytes.asSlice(advance(size), size).toArray(ValueLayout.JAVA_BYTE);
    return new String(text, StandardCharsets.UTF_8);
  }

  Place place() {
    int size = number("length of a place", LARGEST_PLACE);
    return PlaceCodec.decode(bytes.asSlice(advance(size), size).asByteBuffer());
  }

  Position position() {
    return new Position(u64(), u64());
  }

  Version version() {
    Place place = place();
    long transaction = u64();
    long size = u64();
    if (size < FieldWriter.REMOVED) {
      throw new FormatException("message: size of a value", "-1 or more", size);
    }
    return new Version(
        place,
        transaction,
        size == FieldWriter.REMOVED ? OptionalLong.empty() : OptionalLong.of(size));
  }

  Optional<Version> optionalVersion() {
    return flag("presence of a version") ? Optional.of(version()) : Optional.empty();
  }

  Range range() {
    long object = u64();
    Part part = code(Part.values());
    Optional<Place> after = flag("presence of a place") ? Optional.of(place()) : Optional.empty();
    return new Range(object, part, after);
  }

  PageLimit limit() {
    return new PageLimit(i32(), u64());
  }

  /** Returns the next bytes without copying them. */
  MemorySegment slice(long size) {
    return bytes.asSlice(advance(size), size);
  }

  boolean isAtEnd() {
    return at == bytes.byteSize();
  }

  void requireEnd() {
    if (!isAtEnd()) {
      throw new FormatException("message: bytes after the last field", 0, bytes.byteSize() - at);
    }
  }
}
