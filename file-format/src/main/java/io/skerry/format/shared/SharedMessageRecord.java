package io.skerry.format.shared;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;
import io.skerry.format.message.SharedReference;

/**
 * A message in an index of shared messages: an entry of a {@link SharedMessageList}, or a version 2
 * B-tree record of type 7. Source: HDF5 File Format Specification 3.0, sections III.I and III.A.2.
 *
 * <pre>
 * in the heap: 00 | hash u32 | references u32 | heap ID 8
 * in a header: 01 | hash u32 | reserved u8 | message type u8 | message index u16 | object header O
 * </pre>
 *
 * <p>Both forms have the size of the longer one. The hash is the lookup3 hash of the message.
 */
public sealed interface SharedMessageRecord {
  /**
   * A message stored in the fractal heap.
   *
   * @param hash the lookup3 hash of its bytes
   * @param references the number of references to it from object headers
   * @param heapId the heap ID of the message
   */
  record InHeap(int hash, long references, Bytes heapId) implements SharedMessageRecord {}

  /**
   * A message that is eligible for sharing but is still stored in the only object header that
   * contains it.
   *
   * @param hash the lookup3 hash of its bytes
   * @param type the message type
   * @param number the index of the message among those of its type in the header
   * @param headerAddress the address of the object header
   */
  record InHeader(int hash, int type, int number, long headerAddress)
      implements SharedMessageRecord {}

  /** Returns the size of a record in bytes. */
  static int size(Widths widths) {
    return 5 + Math.max(4 + SharedReference.HEAP_ID, 4 + widths.offset());
  }

  /** Reads a record and advances the reader past its padding. */
  static SharedMessageRecord decode(ByteReader from, Widths widths) {
    ByteReader in = from.sub(size(widths), "shared message record");
    int place = in.u8();
    int hash = in.i32();
    return switch (place) {
      case 0 -> new InHeap(hash, in.u32(), Bytes.of(in.slice(SharedReference.HEAP_ID)));
      case 1 -> {
        in.skip(1);
        yield new InHeader(
            hash, in.u8(), in.u16(), widths.readDefinedAddress(in, "header of a shared message"));
      }
      default -> throw in.fault("place of a shared message", "0 heap or 1 header", place);
    };
  }

  /** Appends the record and its padding. */
  default void encode(ByteWriter out, Widths widths) {
    int end = out.position() + size(widths);
    switch (this) {
      case InHeap(int hash, long references, Bytes heapId) ->
          out.u8(0).u32(hash).u32(references).bytes(heapId.segment());
      case InHeader(int hash, int type, int number, long headerAddress) -> {
        out.u8(1).u32(hash).u8(0).u8(type).u16(number);
        widths.writeAddress(out, headerAddress);
      }
    }
    out.zeros(end - out.position());
  }
}
