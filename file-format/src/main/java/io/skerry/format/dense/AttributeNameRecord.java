package io.skerry.format.dense;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;

/**
 * Record of a name index of attributes, type 8.
 *
 * <pre>
 * heap id, 8 bytes | message flags u8 | creation order u32 | hash of the name u32
 * </pre>
 *
 * @param entry where the attribute is
 * @param hash of its name
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
