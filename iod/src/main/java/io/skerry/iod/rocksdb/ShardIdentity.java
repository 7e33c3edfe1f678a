package io.skerry.iod.rocksdb;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Manifest;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The record by which the database of a shard names its container and its number, so that a folder
 * in the wrong place is detected. Integers have their most significant byte first.
 *
 * <pre>
 * +0           +4                   +20
 * +------------+--------------------+-----------+
 * | version  4 | container id    16 | shard   4 |
 * +------------+--------------------+-----------+
 * </pre>
 *
 * @param container the identifier of the container
 * @param shard the number of the shard
 */
record ShardIdentity(UUID container, int shard) {
  private static final int SIZE = 24;

  byte[] encode() {
    return ByteBuffer.allocate(SIZE)
        .putInt(Manifest.VERSION)
        .putLong(container.getMostSignificantBits())
        .putLong(container.getLeastSignificantBits())
        .putInt(shard)
        .array();
  }

  /**
   * Decodes a record.
   *
   * @throws FormatException if the bytes have another form or version
   */
  static ShardIdentity decode(byte[] bytes) {
    if (bytes.length != SIZE) {
      throw new FormatException("identity of a shard: length", SIZE, bytes.length);
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int version = in.getInt();
    if (version != Manifest.VERSION) {
      throw new FormatException("identity of a shard: version", Manifest.VERSION, version);
    }
    return new ShardIdentity(new UUID(in.getLong(), in.getLong()), in.getInt());
  }
}
