package io.skerry.format.heap;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Widths;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * A global heap collection. L is the size of lengths. The header and the objects begin at multiples
 * of 8. Source: HDF5 File Format Specification 3.0, section III.E, "Global Heap".
 *
 * <pre>
 * "GCOL" | version 1 u8 | zero u8 x 3 | size of the collection L
 * per object: index u16 | references u16 | zero u32 | length L | bytes, padded to a multiple of 8
 * </pre>
 *
 * <p>The object with index 0 is the free space; its length includes its own prefix of 16 bytes. If
 * the free space is smaller than a prefix, it is not marked.
 *
 * @param block the file space of the collection
 * @param objects the objects by index
 */
record GlobalHeapCollection(Block block, Map<Integer, MemorySegment> objects) {
  /** Minimum size of a new collection in bytes. */
  static final int LEAST_SIZE = 4096;

  private static final String WHAT = "global heap collection";

  GlobalHeapCollection {
    objects = Map.copyOf(objects);
  }

  /** Returns the number of bytes before the first object. */
  static int headerSize(Widths widths) {
    return (int) padded(8 + widths.length());
  }

  /** Returns the size in bytes of the prefix of an object, which precedes its content. */
  static int objectHeaderSize(Widths widths) {
    return (int) padded(8 + widths.length());
  }

  static long padded(long length) {
    return length + Math.floorMod(-length, 8);
  }

  /** Appends the header of a collection. */
  static void header(ByteWriter out, Widths widths, long size) {
    out.text("GCOL").u8(1).zeros(3);
    widths.writeLength(out, size);
    out.zeros(headerSize(widths) - out.position());
  }

  /** Appends the prefix of an object. */
  static void prefix(ByteWriter out, Widths widths, int index, int references, long length) {
    int start = out.position();
    out.u16(index).u16(references).u32(0);
    widths.writeLength(out, length);
    out.zeros(start + objectHeaderSize(widths) - out.position());
  }

  /** Appends the free space at the end of a collection. */
  static void finish(ByteWriter out, Widths widths, long size) {
    long room = size - out.position();
    if (room >= objectHeaderSize(widths)) {
      prefix(out, widths, 0, 0, room);
    }
    out.zeros(Math.toIntExact(size - out.position()));
  }

  /** Returns the file space of the collection at an address. */
  static Block block(ByteSource source, Widths widths, long address) {
    int size = headerSize(widths);
    ByteReader in = ByteReader.of(source.read(address, size), WHAT);
    in.expectSignature("GCOL");
    in.expect("version", 1, in.u8());
    in.skip(3);
    long bytes = widths.readLength(in, "size");
    if (bytes < size || bytes > source.size() - address) {
      throw in.fault("size", size + " to " + (source.size() - address), bytes);
    }
    return new Block(address, bytes);
  }

  static GlobalHeapCollection read(ByteSource source, Widths widths, Block block) {
    ByteReader in = ByteReader.of(source.read(block.address(), block.length()), WHAT);
    in.skip(headerSize(widths));
    int prefix = objectHeaderSize(widths);
    Map<Integer, MemorySegment> objects = new HashMap<>();
    while (in.remaining() >= prefix) {
      int index = in.u16();
      in.skip(6);
      long length = widths.readLength(in, "length of object " + index);
      in.skip(prefix - 8 - widths.length());
      if (index == 0) {
        if (length < prefix) {
          throw in.fault("length of free space", "at least " + prefix, length);
        }
        in.skip(length - prefix);
      } else {
        objects.put(index, in.slice(length));
        in.skip(Math.floorMod(-length, 8));
      }
    }
    return new GlobalHeapCollection(block, objects);
  }
}
