package io.skerry.format.dense;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;

/**
 * A record of the name index of dense attributes, version 2 B-tree record type 8. Source: HDF5 File
 * Format Specification 3.0, section III.A.2, "Version 2 B-trees".
 *
 * <pre>
 * heap ID, 8 bytes | message flags u8 | creation order u32 | hash of the name u32
 * </pre>
 *
 * @param entry the heap ID, flags and creation order of the attribute
 * @param hash the lookup3 hash of its name
 */
record AttributeNameRecord(AttributeOrderRecord entry, int hash) {
  static final int SIZE = AttributeOrderRecord.SIZE + 4;

  static int hash(MemorySegment record) {
    ByteReader in = ByteReader.of(record, "record of an attribute");
    in.skip(AttributeOrderRecord.SIZE);
    return in.i32();
  }

  static AttributeNameRecord decode(MemorySegment record) {
    AttributeOrderRecord entry =
        AttributeOrderRecord.decode(record.asSlice(0, AttributeOrderRecord.SIZE));
    return new AttributeNameRecord(entry, hash(record));
  }

  MemorySegment encode() {
    return ByteWriter.withCapacity(SIZE).bytes(entry.encode()).u32(hash).written();
  }
}
