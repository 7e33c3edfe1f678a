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
 * A collection of the global heap. L is the size of lengths; every part begins at a multiple of 8.
 *
 * <pre>
 * "GCOL" | version 1 u8 | zero u8 x 3 | bytes of the collection L
 * per object: index u16 | references u16 | zero u32 | length L | bytes, padded to a multiple of 8
 * </pre>
 *
 * <p>The object of index 0 is free space, and its length counts its own 16 bytes of prefix. Where
 * less than a prefix is left at the end, nothing marks the free space.
 *
 * @param block the space it takes
 * @param objects by index
 */
record GlobalHeapCollection(Block block, Map<Integer, MemorySegment> objects) {
  /** Bytes of a collection at least. */
  static final int LEAST_SIZE = 4096;

  private static final String WHAT = "global heap collection";

  GlobalHeapCollection {
    objects = Map.copyOf(objects);
  }

  /** Bytes before the first object. */
  static int headerSize(Widths widths) {
    return (int) padded(8 + widths.length());
  }

  /** Bytes before the content of an object. */
  static int objectHeaderSize(Widths widths) {
    return (int) padded(8 + widths.length());
  }

  static long padded(long length) {
    return length + Math.floorMod(-length, 8);
  }

  /** Begins a collection. */
  static void header(ByteWriter out, Widths widths, long size) {
    out.text("GCOL").u8(1).zeros(3);
    widths.writeLength(out, size);
    out.zeros(headerSize(widths) - out.position());
  }

  /** Begins an object. */
  static void prefix(ByteWriter out, Widths widths, int index, int references, long length) {
    int start = out.position();
    out.u16(index).u16(references).u32(0);
    widths.writeLength(out, length);
    out.zeros(start + objectHeaderSize(widths) - out.position());
  }

  /** Ends a collection with its free space. */
  static void finish(ByteWriter out, Widths widths, long size) {
    long room = size - out.position();
    if (room >= objectHeaderSize(widths)) {
      prefix(out, widths, 0, 0, room);
    }
    out.zeros(Math.toIntExact(size - out.position()));
  }

  /** The space of the collection at an address. */
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
