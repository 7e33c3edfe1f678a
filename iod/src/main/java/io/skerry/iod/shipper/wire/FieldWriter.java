package io.skerry.iod.shipper.wire;

import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.PlaceCodec;
import io.skerry.iod.engine.Range;
import io.skerry.iod.engine.Version;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Appends fields to a growing array of bytes, least significant byte first. Not thread-safe.
 *
 * <pre>
 * text     u32 number of bytes, UTF-8; cut to {@link #LONGEST_TEXT} bytes
 * place    u32 number of bytes, {@link PlaceCodec}
 * version  place, u64 transaction, u64 size (all ones: removed)
 * range    u64 object, u8 part, u8 0 or 1, place if 1
 * limit    u32 items, u64 bytes
 * </pre>
 */
final class FieldWriter {
  /** The length of the longest text in bytes. */
  static final int LONGEST_TEXT = 16 << 10;

  /** The stored size of a removed value. */
  static final long REMOVED = -1;

  private ByteBuffer bytes = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);

  private ByteBuffer room(int size) {
    if (bytes.remaining() < size) {
      int more = Math.max(size, bytes.capacity());
      byte[] larger = Arrays.copyOf(bytes.array(), Math.addExact(bytes.position(), more));
      bytes = ByteBuffer.wrap(larger).order(ByteOrder.LITTLE_ENDIAN).position(bytes.position());
    }
    return bytes;
  }

  FieldWriter u8(int value) {
    room(Byte.BYTES).put((byte) value);
    return this;
  }

  FieldWriter u32(int value) {
    room(Integer.BYTES).putInt(value);
    return this;
  }

  FieldWriter u64(long value) {
    room(Long.BYTES).putLong(value);
    return this;
  }

  FieldWriter code(Enum<?> value) {
    return u8(value.ordinal());
  }

  FieldWriter text(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    int size = encoded.length;
    if (size > LONGEST_TEXT) {
      // Does not split a character: its continuation bytes begin with the bits 10.
      size = LONGEST_TEXT;
      while ((encoded[size] & 0xc0) == 0x80) {
        size--;
      }
    }
    u32(size);
    room(size).put(encoded, 0, size);
    return this;
  }

  FieldWriter place(Place place) {
    byte[] encoded = PlaceCodec.encode(place);
    u32(encoded.length);
    room(encoded.length).put(encoded);
    return this;
  }

  FieldWriter position(Position at) {
    return u64(at.session()).u64(at.transaction());
  }

  FieldWriter version(Version version) {
    return place(version.place()).u64(version.transaction()).u64(version.size().orElse(REMOVED));
  }

  FieldWriter version(Optional<Version> version) {
    u8(version.isPresent() ? 1 : 0);
    version.ifPresent(this::version);
    return this;
  }

  FieldWriter range(Range range) {
    u64(range.object()).code(range.part()).u8(range.after().isPresent() ? 1 : 0);
    range.after().ifPresent(this::place);
    return this;
  }

  FieldWriter limit(PageLimit limit) {
    return u32(limit.items()).u64(limit.bytes());
  }

  /** Returns a copy of the bytes so far. */
  byte[] toArray() {
    return Arrays.copyOf(bytes.array(), bytes.position());
  }
}
