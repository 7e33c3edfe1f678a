package io.skerry.format.dense;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * Record of a creation order index of attributes, type 9.
 *
 * <pre>
 * heap id, 8 bytes | message flags u8 | creation order u32
 * </pre>
 *
 * @param heapId of the attribute message, in the heap of shared messages if it is shared
 * @param flags of the message: 0x02 shared
 * @param order creation order
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
