package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;

/**
 * Where a shared message stands (format specification, "Shared Message"). Reads versions 1 to 3,
 * writes 2 for committed datatypes and 3 for pooled messages, as HDF5 does.
 *
 * <pre>
 * v1: 01 | type u8, ignored | reserved 6 | unused L | object header O
 * v2: 02 | type u8: 1 pooled, others committed | heap ID 8, or object header O
 * v3: 03 | type u8: 1 pooled, 2 committed      | heap ID 8, or object header O
 * </pre>
 */
public sealed interface SharedReference {
  /** Bytes of a heap ID. */
  int HEAP_ID = 8;

  /**
   * A message of another object: a committed datatype.
   *
   * @param address object header of the datatype
   */
  record Committed(long address) implements SharedReference {}

  /**
   * A message in the heap of the file's table of shared messages.
   *
   * @param heapId identifies it in the fractal heap
   */
  record Pooled(Bytes heapId) implements SharedReference {}

  /** Reads a reference. */
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
