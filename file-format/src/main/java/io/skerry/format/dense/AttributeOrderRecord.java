package io.skerry.format.dense;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * A record of the creation order index of dense attributes, version 2 B-tree record type 9. Source:
 * HDF5 File Format Specification 3.0, section III.A.2, "Version 2 B-trees".
 *
 * <pre>
 * heap ID, 8 bytes | message flags u8 | creation order u32
 * </pre>
 *
 * @param heapId the heap ID of the attribute message; refers to the shared message heap if the
 *     message is shared
 * @param flags the flags of the message; bit 0x02 marks a shared message
 * @param order the creation order
 */
record AttributeOrderRecord(Bytes heapId, int flags, int order) {
  static final int ID_LENGTH = 8;
  static final int SIZE = ID_LENGTH + 5;
  private static final int SHARED = 0x02;

  static AttributeOrderRecord decode(MemorySegment record) {
    ByteReader in = ByteReader.of(record, "record of an attribute");
    return new AttributeOrderRecord(Bytes.of(in.slice(ID_LENGTH)), in.u8(), in.i32());
  }

  boolean isShared() {
    return (flags & SHARED) != 0;
  }

  MemorySegment encode() {
    return ByteWriter.withCapacity(SIZE).bytes(heapId.segment()).u8(flags).u32(order).written();
  }
}
