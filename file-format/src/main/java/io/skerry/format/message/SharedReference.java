package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;

/**
 * The location of a shared message. Versions 1 to 3 are read. As in HDF5, version 2 is written for
 * committed datatypes and version 3 for messages in the shared message heap. Source: HDF5 File
 * Format Specification 3.0, section IV.A.2, "Data Object Header Messages".
 *
 * <pre>
 * v1: 01 | type u8, ignored | reserved 6 | reserved L | object header O
 * v2: 02 | type u8: 1 in the heap, otherwise committed | heap ID 8, or object header O
 * v3: 03 | type u8: 1 in the heap, 2 committed | heap ID 8, or object header O
 * </pre>
 */
public sealed interface SharedReference {
  /** Size of a heap ID in bytes. */
  int HEAP_ID = 8;

  /**
   * A reference to a committed datatype, which is a message in the header of another object.
   *
   * @param address the object header address of the datatype
   */
  record Committed(long address) implements SharedReference {}

  /**
   * A reference to a message in the shared message heap of the file.
   *
   * @param heapId the ID in the fractal heap
   */
  record Pooled(Bytes heapId) implements SharedReference {}

  /** Decodes a reference. */
  static SharedReference decode(ByteReader in, Widths widths) {
    int version = in.u8();
    if (version < 1 || version > 3) {
      throw in.fault("version of a shared message", "1 to 3", version);
    }
    int type = in.u8();
    if (version == 1) {
      in.skip(6L + widths.length());
      return new Committed(widths.readDefinedAddress(in, "committed datatype"));
    }
    if (type == 1) {
      return new Pooled(Bytes.of(in.slice(HEAP_ID)));
    }
    if (version == 3 && type != 2) {
      throw in.fault("type of a shared message", "1 pooled or 2 committed", type);
    }
    return new Committed(widths.readDefinedAddress(in, "committed datatype"));
  }

  /** Appends the reference. */
  default void encode(ByteWriter out, Widths widths) {
    switch (this) {
      case Committed(long address) -> {
        out.u8(2).u8(2);
        widths.writeAddress(out, address);
      }
      case Pooled(Bytes heapId) -> out.u8(3).u8(1).bytes(heapId.segment());
    }
  }
}
