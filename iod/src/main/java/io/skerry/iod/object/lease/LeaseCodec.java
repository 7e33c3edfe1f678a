package io.skerry.iod.object.lease;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.iod.object.KeyValue;
import io.skerry.iod.object.ObjectType;
import java.lang.foreign.MemorySegment;

/**
 * Encodes and decodes leases, which are pairs in the extra key-value object of the root group.
 * Local, thread-safe.
 *
 * <pre>
 * key     u8 type (0 KV, 1 ARRAY, 2 BLOB) | u64 block
 * value   u64 client
 * </pre>
 */
public final class LeaseCodec {
  private LeaseCodec() {}

  static Bytes key(IdLease lease) {
    return Bytes.of(
        ByteWriter.withCapacity(16).u8(lease.type().ordinal()).u64(lease.block()).written());
  }

  static MemorySegment value(IdLease lease) {
    return ByteWriter.withCapacity(Long.BYTES).u64(lease.client()).written();
  }

  /**
   * Decodes a lease.
   *
   * @throws FormatException if the bytes are not those of a lease
   */
  public static IdLease decode(KeyValue pair) {
    ByteReader key = ByteReader.of(pair.key().segment(), "id lease: key");
    int type = key.u8();
    if (type >= ObjectType.values().length) {
      throw key.fault("type", "0 to 2", type);
    }
    long block = key.u63("block");
    if (block > IdLease.LARGEST) {
      throw key.fault("block", "at most " + IdLease.LARGEST, block);
    }
    key.expect("bytes after the block", 0, key.remaining());
    ByteReader value = ByteReader.of(pair.value(), "id lease: value");
    value.expect("size", Long.BYTES, value.remaining());
    return new IdLease(ObjectType.values()[type], block, value.i64());
  }
}
