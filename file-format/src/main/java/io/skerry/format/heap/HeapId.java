package io.skerry.format.heap;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;
import java.lang.foreign.MemorySegment;

/**
 * A heap ID of a fractal heap. Source: HDF5 File Format Specification 3.0, section III.G, "Fractal
 * Heap".
 *
 * <pre>
 * first byte: bits 6-7 version 0, 4-5 type, 0-3 zero except for tiny objects
 * managed (0):       00 | offset in the heap | length
 * huge (1):          10 | B-tree key, or location
 * location:          address O | stored size L [| filter mask u32 | unfiltered size L]
 * tiny (2), short:   20 + length - 1 | bytes
 * tiny (2), long:    20 + high four bits of length - 1 | low eight bits | bytes
 * </pre>
 *
 * <p>Unused bytes at the end are zero. The first bytes 00, 10 and 20 are hexadecimal.
 */
sealed interface HeapId {
  /**
   * The ID of a managed object, which is stored in a direct block.
   *
   * @param offset the offset in the address space of the heap
   * @param length the size in bytes
   */
  record Managed(long offset, long length) implements HeapId {}

  /**
   * The ID of a huge object, in the form that contains the key of the object's B-tree record.
   *
   * @param number the key in the B-tree
   */
  record Numbered(long number) implements HeapId {}

  /**
   * The ID of a huge object, in the form that contains the location of the object.
   *
   * @param place the location
   */
  record Placed(HugeRecord place) implements HeapId {}

  /**
   * The ID of a tiny object, which contains the object.
   *
   * @param bytes the object
   */
  record Tiny(Bytes bytes) implements HeapId {}

  /** Decodes an ID, which may be longer than the ID length of the heap. */
  static HeapId decode(MemorySegment id, FractalHeapParameters p, Widths widths) {
    ByteReader in = ByteReader.of(id, "heap id");
    if (id.byteSize() < p.idLength()) {
      throw in.fault("length", "at least " + p.idLength(), id.byteSize());
    }
    int first = in.u8();
    in.expect("version", 0, first >>> 6);
    return switch (first >>> 4) {
      case 0 -> new Managed(in.uint(p.table().offsetBytes()), in.uint(p.lengthBytes()));
      case 1 ->
          p.isHugeDirect(widths)
              ? new Placed(HugeRecord.decodePlace(in, p, widths))
              : new Numbered(in.uint(p.hugeNumberBytes()));
      case 2 -> {
        int length = (p.hasLongTiny() ? (first & 15) << 8 | in.u8() : first & 15) + 1;
        if (length > p.maxTiny()) {
          throw in.fault("length of a tiny object", "at most " + p.maxTiny(), length);
        }
        yield new Tiny(Bytes.of(in.slice(length)));
      }
      default -> throw in.fault("kind of heap object", "0 to 2", first >>> 4);
    };
  }

  /** Encodes the ID, padded to the ID length of the heap. */
  default Bytes encode(FractalHeapParameters p, Widths widths) {
    ByteWriter out = ByteWriter.create();
    switch (this) {
      case Managed(long offset, long length) ->
          out.u8(0).uint(offset, p.table().offsetBytes()).uint(length, p.lengthBytes());
      case Numbered(long number) -> out.u8(0x10).uint(number, p.hugeNumberBytes());
      case Placed(HugeRecord place) -> {
        out.u8(0x10);
        place.encodePlace(out, p, widths);
      }
      case Tiny(Bytes bytes) -> {
        int length = bytes.size() - 1;
        if (p.hasLongTiny()) {
          out.u8(0x20 | length >> 8).u8(length);
        } else {
          out.u8(0x20 | length);
        }
        out.bytes(bytes.segment());
      }
    }
    return Bytes.of(out.zeros(p.idLength() - out.position()).written());
  }
}
