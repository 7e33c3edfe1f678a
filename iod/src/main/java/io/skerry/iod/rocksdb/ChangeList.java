package io.skerry.iod.rocksdb;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.PlaceCodec;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A chunk of the list of the places that a transaction changed, in the order of the changes. A
 * place that was changed twice is listed twice. The integer has its most significant byte first.
 *
 * <pre>
 * +0   +1         +5
 * +----+----------+-----------------+----+----------+--------------
 * | L  | length 4 | place           | L  | length 4 | place   ...
 * +----+----------+-----------------+----+----------+--------------
 *
 * L = 1  the transaction stored a large value at the place
 * L = 0  it stored a small value, or removed the place
 * </pre>
 */
final class ChangeList {
  /** The size at which a chunk is stored, in bytes. */
  static final int CHUNK = 1 << 15;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);

  /**
   * A change of a place.
   *
   * @param place the place
   * @param isLarge whether a large value was stored
   */
  record Change(Place place, boolean isLarge) {}

  void add(Change change) {
    byte[] encoded = PlaceCodec.encode(change.place());
    bytes.write(change.isLarge() ? 1 : 0);
    bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(encoded.length).array());
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
   * @throws FormatException if the bytes have another form
   */
  static List<Change> decode(byte[] chunk) {
    List<Change> changes = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(chunk);
    while (in.hasRemaining()) {
      int large = in.get();
      int length = in.remaining() < Integer.BYTES ? -1 : in.getInt();
      if (large < 0 || large > 1 || length < 0 || length > in.remaining()) {
        throw new FormatException(
            "list of changes: kind and length of a place",
            "0 or 1, at most " + in.remaining(),
            large + ", " + length);
      }
      Place place = PlaceCodec.decode(in.slice(in.position(), length));
      changes.add(new Change(place, large == 1));
      in.position(in.position() + length);
    }
    return changes;
  }
}
