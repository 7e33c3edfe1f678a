package io.skerry.iod.rados;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Part;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.PlaceCodec;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The keys of the pairs of objects in RADOS, which are ordered by their unsigned bytes.
 *
 * <p>The key of a version is the encoded place without its object, followed by the complement of
 * the transaction; {@link PlaceCodec} describes the bytes of a place. All versions of a place are
 * therefore adjacent, the newest one first. Since librados terminates keys with a zero byte, the
 * bytes 00 and 01 are stored as 01 01 and 01 02, which keeps the order.
 */
final class OmapKeys {
  private static final byte ESCAPE = 1;
  private static final int OBJECT = Long.BYTES;
  private static final HexFormat HEX = HexFormat.of();

  private OmapKeys() {}

  /** Returns the key of a version of a place that is not a scratch pad. */
  static byte[] version(Place place, long transaction) {
    byte[] encoded = PlaceCodec.encode(place);
    ByteBuffer key = ByteBuffer.allocate(encoded.length - OBJECT + Long.BYTES);
    key.put(encoded, OBJECT, encoded.length - OBJECT).putLong(~transaction);
    return escape(key.array());
  }

  /** Returns the prefix that the keys of the versions of a place, and no other keys, have. */
  static byte[] place(Place place) {
    byte[] encoded = PlaceCodec.encode(place);
    return escape(Arrays.copyOfRange(encoded, OBJECT, encoded.length));
  }

  /** Returns the prefix that the keys of the versions of a part, and no other keys, have. */
  static byte[] part(Part part) {
    return escape(new byte[] {(byte) part.ordinal()});
  }

  /**
   * Returns a key that follows those of all versions of a place, and precedes all other later ones.
   */
  static byte[] afterVersions(Place place) {
    // The complement of transaction 0 is greater than those of all transactions.
    return version(place, 0);
  }

  private static byte[] escape(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + 8);
    for (byte value : bytes) {
      if (value == 0 || value == ESCAPE) {
        out.write(ESCAPE);
        out.write(value + 1);
      } else {
        out.write(value);
      }
    }
    return out.toByteArray();
  }

  private static ByteBuffer unescape(byte[] key) {
    ByteBuffer out = ByteBuffer.allocate(key.length);
    ByteBuffer in = ByteBuffer.wrap(key);
    while (in.hasRemaining()) {
      byte value = in.get();
      if (value != ESCAPE) {
        out.put(value);
        continue;
      }
      int escaped = in.hasRemaining() ? in.get() : -1;
      if (escaped < 1 || escaped > 2) {
        throw new FormatException("key of a version: byte after 01", "1 or 2", escaped);
      }
      out.put((byte) (escaped - 1));
    }
    return out.flip();
  }

  /** The place and the transaction of a key. */
  record Key(Place place, long transaction) {}

  /**
   * Decodes the key of a version.
   *
   * @throws FormatException if the key is malformed
   */
  static Key decode(long object, byte[] key) {
    ByteBuffer bytes = unescape(key);
    int end = bytes.limit() - Long.BYTES;
    if (end < 1) {
      throw new FormatException("key of a version: length", "at least 9", bytes.limit());
    }
    long transaction = ~bytes.getLong(end);
    if (transaction <= 0) {
      throw new FormatException(
          "key of a version: transaction", "1 to 2^63-1", Long.toUnsignedString(transaction));
    }
    ByteBuffer place = ByteBuffer.allocate(OBJECT + end).putLong(object).put(bytes.slice(0, end));
    return new Key(PlaceCodec.decode(place.flip()), transaction);
  }

  /** Returns a key that precedes {@code key}, with few or no version keys between the two. */
  static byte[] before(byte[] key) {
    int last = key.length - 1;
    if (last < 0) {
      return key;
    }
    if (Byte.toUnsignedInt(key[last]) <= 2) {
      return Arrays.copyOf(key, last);
    }
    byte[] before = Arrays.copyOf(key, key.length + 2 * Long.BYTES);
    before[last]--;
    Arrays.fill(before, key.length, before.length, (byte) 0xff);
    return before;
  }

  static boolean startsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }

  // ---- keys of the head of a shard ----

  static final byte[] OBJECTS = {'o'};
  static final byte[] CHANGES = {'c'};

  static byte[] index(long object) {
    return ("o" + HEX.toHexDigits(object)).getBytes(StandardCharsets.US_ASCII);
  }

  /** Decodes the object of a pair of the index. */
  static long object(byte[] key) {
    return number(key, 1, 1 + 16);
  }

  static byte[] changes(long transaction, int chunk) {
    return ("c" + HEX.toHexDigits(transaction) + "." + HEX.toHexDigits(chunk))
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the prefix of the keys of the change lists of a transaction. */
  static byte[] changes(long transaction) {
    return ("c" + HEX.toHexDigits(transaction)).getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Decodes the transaction number in the key of a change list.
   *
   * @throws FormatException if the key is malformed
   */
  static long transactionOfChanges(byte[] key) {
    return number(key, 1, 1 + 16 + 1 + 8);
  }

  private static long number(byte[] key, int from, int length) {
    if (key.length != length) {
      throw new FormatException("key of a head: length", length, key.length);
    }
    try {
      return HexFormat.fromHexDigitsToLong(
          new String(key, StandardCharsets.US_ASCII), from, from + 16);
    } catch (NumberFormatException e) {
      throw new FormatException("key of a head: digits", "hexadecimal", Arrays.toString(key));
    }
  }
}
