package io.skerry.format.dense;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * A record of the creation order index of dense links, version 2 B-tree record type 6. Source: HDF5
 * File Format Specification 3.0, section III.A.2, "Version 2 B-trees".
 *
 * <pre>
 * creation order i64 | heap ID, 7 bytes
 * </pre>
 *
 * @param order the creation order
 * @param heapId the heap ID of the link message
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
