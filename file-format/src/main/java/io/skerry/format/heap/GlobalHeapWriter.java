package io.skerry.format.heap;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Block;
import io.skerry.format.BlockImage;
import io.skerry.format.BlockKind;
import io.skerry.format.Widths;
import io.skerry.format.alloc.SpaceAllocator;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Packs byte sequences into new collections of the global heap: variable-length values and region
 * references. A collection has at least 4096 bytes and its space is taken when it is begun; a
 * sequence that does not fit into one gets its own. Not thread-safe; local; equal calls on equal
 * allocators give equal blocks and references.
 */
public final class GlobalHeapWriter {
  private static final int MOST_OBJECTS = 0xffff;

  private final Widths widths;
  private final SpaceAllocator allocator;
  private final List<BlockImage> finished = new ArrayList<>();
  private Open open = Open.NONE;

  /**
   * Where a byte sequence is.
   *
   * @param collection address of the collection
   * @param index in it, 1 to 65535
   */
  public record Reference(long collection, int index) {}

  /**
   * The collection that objects go to.
   *
   * @param place its space, of no meaning while it has no bytes
   * @param bytes header and objects so far
   * @param objects how many
   */
  private record Open(Block place, ByteWriter bytes, int objects) {
    static final Open NONE = new Open(new Block(0, 1), ByteWriter.create(), 0);

    long room() {
      return bytes.position() == 0 ? 0 : place.length() - bytes.position();
    }
  }

  private GlobalHeapWriter(Widths widths, SpaceAllocator allocator) {
    this.widths = widths;
    this.allocator = allocator;
  }

  /** A writer without collection yet. */
  public static GlobalHeapWriter create(Widths widths, SpaceAllocator allocator) {
    return new GlobalHeapWriter(widths, allocator);
  }

  /**
   * Stores a sequence, which may have no bytes, with one reference to it.
   *
   * @param object copied
   */
  public Reference add(MemorySegment object) {
    long length = object.byteSize();
    int prefix = GlobalHeapCollection.objectHeaderSize(widths);
    long needed = prefix + GlobalHeapCollection.padded(length);
    long header = GlobalHeapCollection.headerSize(widths);
    if (header + needed > GlobalHeapCollection.LEAST_SIZE) {
      return alone(object, header + needed);
    }
    if (open.room() < needed || open.objects() == MOST_OBJECTS) {
      close();
      open = begin(GlobalHeapCollection.LEAST_SIZE);
    }
    append(object);
    return new Reference(open.place().address(), open.objects());
  }

  private Reference alone(MemorySegment object, long size) {
    Open before = open;
    open = begin(size);
    append(object);
    Reference reference = new Reference(open.place().address(), open.objects());
    close();
    open = before;
    return reference;
  }

  private Open begin(long size) {
    ByteWriter out = ByteWriter.withCapacity(Math.toIntExact(size));
    out.text("GCOL").u8(1).zeros(3);
    widths.writeLength(out, size);
    out.zeros(GlobalHeapCollection.headerSize(widths) - out.position());
    return new Open(allocator.allocateBlock(size), out, 0);
  }

  private void append(MemorySegment object) {
    open = new Open(open.place(), open.bytes(), open.objects() + 1);
    prefix(open.bytes(), open.objects(), 1, object.byteSize());
    open.bytes().bytes(object).zeros(Math.floorMod(-(int) object.byteSize(), 8));
  }

  private void prefix(ByteWriter out, int index, int references, long length) {
    int start = out.position();
    out.u16(index).u16(references).u32(0);
    widths.writeLength(out, length);
    out.zeros(start + GlobalHeapCollection.objectHeaderSize(widths) - out.position());
  }

  private void close() {
    if (open.bytes().position() == 0) {
      return;
    }
    ByteWriter out = open.bytes();
    long room = open.room();
    if (room >= GlobalHeapCollection.objectHeaderSize(widths)) {
      prefix(out, 0, 0, room);
    }
    out.zeros((int) open.room());
    finished.add(
        new BlockImage(open.place().address(), BlockKind.GLOBAL_HEAP_COLLECTION, out.written()));
    open = Open.NONE;
  }

  /** Ends the collection begun last and returns all that were not returned before. */
  public List<BlockImage> commit() {
    close();
    List<BlockImage> images = List.copyOf(finished);
    finished.clear();
    return images;
  }
}
