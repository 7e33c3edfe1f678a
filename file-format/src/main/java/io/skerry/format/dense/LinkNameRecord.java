package io.skerry.format.dense;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * Record of a name index of links, type 5.
 *
 * <pre>
 * hash of the name u32 | heap id, 7 bytes
 * </pre>
 *
 * @param hash of the name
 * @param heapId of the link message
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
