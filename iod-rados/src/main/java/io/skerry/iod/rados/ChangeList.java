package io.skerry.iod.rados;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.PlaceCodec;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A chunk of the list of the places that a transaction changes, in the order of the changes. A
 * place that is changed twice is listed twice. Integers are big-endian.
 *
 * <pre>
 * +0          +4         +8
 * +-----------+----------+-----------------+-----------+----------+--------------
 * | stripes 4 | length 4 | place           | stripes 4 | length 4 | place   ...
 * +-----------+----------+-----------------+-----------+----------+--------------
 * </pre>
 *
 * <p>The number of stripes is that of a large value; it is 0 if the transaction stores a small
 * value, or removes the place.
 */
final class ChangeList {
  /** The size at which a chunk is stored, in bytes. */
  static final int CHUNK = 1 << 15;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);

  /**
   * A change of a place.
   *
   * @param place the place
   * @param stripes the number of objects of a large value; 0 for other changes
   */
  record Change(Place place, int stripes) {}

  void add(Change change) {
    byte[] encoded = PlaceCodec.encode(change.place());
    bytes.writeBytes(
        ByteBuffer.allocate(2 * Integer.BYTES)
            .putInt(change.stripes())
            .putInt(encoded.length)
            .array());
    bytes.writeBytes(encoded);
  }

  int size() {
    return bytes.size();
  }

  /** Returns the bytes of the chunk, and begins the next one. */
  byte[] take() {
    byte[] chunk = bytes.toByteArray();
    bytes.reset();
    return chunk;
  }

  /**
   * Decodes a chunk.
   *
   * @throws FormatException if the bytes are malformed
   */
  static List<Change> decode(byte[] chunk) {
    List<Change> changes = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(chunk);
    while (in.hasRemaining()) {
      boolean isWhole = in.remaining() >= 2 * Integer.BYTES;
      int stripes = isWhole ? in.getInt() : -1;
      int length = isWhole ? in.getInt() : -1;
      if (stripes < 0 || length < 0 || length > in.remaining()) {
        throw new FormatException(
            "list of changes: stripes and length of a place",
            "at least 0, at most " + in.remaining(),
            stripes + ", " + length);
      }
      changes.add(new Change(PlaceCodec.decode(in.slice(in.position(), length)), stripes));
      in.position(in.position() + length);
    }
    return changes;
  }
}
