package io.skerry.format.dense;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * A record of the name index of dense links, version 2 B-tree record type 5. Source: HDF5 File
 * Format Specification 3.0, section III.A.2, "Version 2 B-trees".
 *
 * <pre>
 * hash of the name u32 | heap ID, 7 bytes
 * </pre>
 *
 * @param hash the lookup3 hash of the name
 * @param heapId the heap ID of the link message
 */
record LinkNameRecord(int hash, Bytes heapId) {
  static final int SIZE = 4 + LinkOrderRecord.ID_LENGTH;

  static int hash(MemorySegment record) {
    return ByteReader.of(record, "record of a link").i32();
  }

  static LinkNameRecord decode(MemorySegment record) {
    ByteReader in = ByteReader.of(record, "record of a link");
    return new LinkNameRecord(in.i32(), Bytes.of(in.slice(LinkOrderRecord.ID_LENGTH)));
  }

  MemorySegment encode() {
    return ByteWriter.withCapacity(SIZE).u32(hash).bytes(heapId.segment()).written();
  }
}
