package io.skerry.iod.engine;

import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/**
 * Encodes places as bytes whose unsigned order is the order of the places, for engines that store
 * values in one ordered key space. No encoded place is a prefix of another one. Local, thread-safe.
 *
 * <pre>
 * +0              +8  +9
 * +---------------+---+------------------------------+
 * | object        | p |                              |  p = 0  scratch pad: nothing follows
 * |               |   | e e e ... e 00 00            |  p = 1  pair: escaped key and its end
 * |               |   | number                       |  p = 2  tile, 8 bytes
 * |               |   | number                       |  p = 3  block, 8 bytes
 * +---------------+---+------------------------------+
 * </pre>
 *
 * <p>Object and number are unsigned integers of 8 bytes, most significant byte first. In a key each
 * byte 00 is stored as 00 FF; all other bytes are stored unchanged. The end 00 00 sorts before
 * every continuation of a key, so a key precedes all keys of which it is a prefix.
 */
public final class PlaceCodec {
  private static final String STRUCTURE = "place";
  private static final int HEAD = Long.BYTES + 1;
  private static final int END = 2;

  /** The byte that follows a zero byte of a key. */
  private static final byte ESCAPE = (byte) 0xff;

  private PlaceCodec() {}

  /** Returns the size of an encoded place in bytes. Does not fail. */
  public static int size(Place place) {
    return switch (place) {
      case Place.ScratchPad _ -> HEAD;
      case Place.Pair pair -> HEAD + pair.key().size() + zeros(pair.key().segment()) + END;
      case Place.Tile _, Place.Block _ -> HEAD + Long.BYTES;
    };
  }

  private static int zeros(MemorySegment key) {
    int zeros = 0;
    for (long i = 0; i < key.byteSize(); i++) {
      if (key.get(ValueLayout.JAVA_BYTE, i) == 0) {
        zeros++;
      }
    }
    return zeros;
  }

  /**
   * Writes a place at the position of a big-endian buffer.
   *
   * @throws java.nio.BufferOverflowException if fewer than {@link #size} bytes remain in the buffer
   */
  public static void write(Place place, ByteBuffer to) {
    to.putLong(place.object()).put((byte) place.part().ordinal());
    switch (place) {
      case Place.ScratchPad _ -> {}
      case Place.Pair pair -> writeKey(pair.key().segment(), to);
      case Place.Tile tile -> to.putLong(tile.number());
      case Place.Block block -> to.putLong(block.number());
    }
  }

  private static void writeKey(MemorySegment key, ByteBuffer to) {
    for (long i = 0; i < key.byteSize(); i++) {
      byte value = key.get(ValueLayout.JAVA_BYTE, i);
      to.put(value);
      if (value == 0) {
        to.put(ESCAPE);
      }
    }
    to.put((byte) 0).put((byte) 0);
  }

  /** Returns an encoded place. Does not fail. */
  public static byte[] encode(Place place) {
    ByteBuffer bytes = ByteBuffer.allocate(size(place));
    write(place, bytes);
    return bytes.array();
  }

  /**
   * Decodes the place that occupies all remaining bytes of a big-endian buffer, whose position
   * moves to its limit.
   *
   * @throws FormatException if the bytes are not those of a place
   */
  public static Place decode(ByteBuffer from) {
    if (from.remaining() < HEAD) {
      throw new FormatException(STRUCTURE + ": length", "at least " + HEAD, from.remaining());
    }
    long object = from.getLong();
    int part = from.get();
    return switch (part) {
      case 0 -> {
        expect(from, 0);
        yield new Place.ScratchPad(object);
      }
      case 1 -> new Place.Pair(object, readKey(from));
      case 2 -> {
        expect(from, Long.BYTES);
        yield new Place.Tile(object, from.getLong());
      }
      case 3 -> {
        expect(from, Long.BYTES);
        yield new Place.Block(object, from.getLong());
      }
      default -> throw new FormatException(STRUCTURE + ": part", "0 to 3", part);
    };
  }

  private static void expect(ByteBuffer from, int bytes) {
    if (from.remaining() != bytes) {
      throw new FormatException(STRUCTURE + ": bytes after the part", bytes, from.remaining());
    }
  }

  private static Bytes readKey(ByteBuffer from) {
    byte[] key = new byte[from.remaining()];
    int size = 0;
    while (from.hasRemaining()) {
      byte value = from.get();
      if (value == 0) {
        byte next = from.hasRemaining() ? from.get() : 1;
        if (next == 0) {
          expect(from, 0);
          return checked(MemorySegment.ofArray(key).asSlice(0, size));
        }
        if (next != ESCAPE) {
          throw new FormatException(STRUCTURE + ": byte after a zero of a key", "0 or 255", next);
        }
      }
      key[size++] = value;
    }
    throw new FormatException(STRUCTURE + ": end of a key", "two zero bytes", "none");
  }

  private static Bytes checked(MemorySegment key) {
    if (key.byteSize() > Place.LONGEST_KEY) {
      throw new FormatException(
          STRUCTURE + ": length of a key", "at most " + Place.LONGEST_KEY, key.byteSize());
    }
    return Bytes.of(key);
  }
}
