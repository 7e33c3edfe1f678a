package io.skerry.format.dense;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * Record of a creation order index of links, type 6.
 *
 * <pre>
 * creation order i64 | heap id, 7 bytes
 * </pre>
 *
 * @param order creation order
 * @param heapId of the link message
 */
record LinkOrderRecord(long order, Bytes heapId) {
  static final int ID_LENGTH = 7;
  static final int SIZE = 8 + ID_LENGTH;

  static LinkOrderRecord decode(MemorySegment record) {
    ByteReader in = ByteReader.of(record, "record of a link");
    return new LinkOrderRecord(in.i64(), Bytes.of(in.slice(ID_LENGTH)));
  }

  MemorySegment encode() {
    return ByteWriter.withCapacity(SIZE).u64(order).bytes(heapId.segment()).written();
  }
}
