package io.skerry.format.heap;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Widths;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A global heap collection in memory, for adding and removing objects. The remaining objects keep
 * their indexes and are packed, so that all free space is at the end. The byte layout is documented
 * at {@link GlobalHeapCollection}. Not thread-safe; local.
 */
public final class EditedCollection {
  private static final int MOST_OBJECTS = 0xffff;
  private static final String WHAT = "global heap collection";

  private final Widths widths;
  private final Block block;
  private final Map<Integer, Held> objects = new LinkedHashMap<>();
  private long used;
  private int last;

  private record Held(int references, MemorySegment content) {}

  private EditedCollection(Widths widths, Block block) {
    this.widths = widths;
    this.block = block;
    this.used = GlobalHeapCollection.headerSize(widths);
  }

  /**
   * Reads the collection at an address.
   *
   * @throws FormatException if the collection is damaged
   */
  public static EditedCollection read(ByteSource source, Widths widths, long address) {
    Block block = GlobalHeapCollection.block(source, widths, address);
    return of(widths, block, source.read(block.address(), block.length()));
  }

  /**
   * Decodes a collection from its bytes.
   *
   * @throws FormatException if the collection is damaged
   */
  public static EditedCollection of(Widths widths, Block block, MemorySegment bytes) {
    EditedCollection edited = new EditedCollection(widths, block);
    ByteReader in = ByteReader.of(bytes, WHAT);
    in.skip(GlobalHeapCollection.headerSize(widths));
    int prefix = GlobalHeapCollection.objectHeaderSize(widths);
    while (in.remaining() >= prefix) {
      int index = in.u16();
      int references = in.u16();
      in.skip(4);
      long length = widths.readLength(in, "length of object " + index);
      in.skip(prefix - 8 - widths.length());
      if (index == 0) {
        if (length < prefix) {
          throw in.fault("length of free space", "at least " + prefix, length);
        }
        in.skip(length - prefix);
        continue;
      }
      MemorySegment content = in.slice(length);
      in.skip(Math.floorMod(-length, 8));
      if (edited.objects.containsKey(index)) {
        throw in.fault("index of an object", "one of its own", index);
      }
      edited.hold(index, new Held(references, content));
    }
    return edited;
  }

  private void hold(int index, Held object) {
    objects.put(index, object);
    used += size(object.content().byteSize());
    last = Math.max(last, index);
  }

  private long size(long length) {
    return GlobalHeapCollection.objectHeaderSize(widths) + GlobalHeapCollection.padded(length);
  }

  /** Returns the file space of the collection. */
  public Block block() {
    return block;
  }

  /** Removes the object with the given index; returns false if there is none. */
  public boolean remove(int index) {
    Held gone = objects.remove(index);
    if (gone == null) {
      return false;
    }
    used -= size(gone.content().byteSize());
    return true;
  }

  /** Returns whether the collection contains no objects. */
  public boolean isEmpty() {
    return objects.isEmpty();
  }

  /** Returns the number of free bytes, all of which follow the last object. */
  public long free() {
    return block.length() - used;
  }

  /**
   * Returns whether an object of the given size in bytes fits into the collection, and an object
   * index greater than all previous ones is still available for it.
   */
  public boolean hasRoom(long length) {
    return size(length) <= free() && last < MOST_OBJECTS;
  }

  /**
   * Adds an object with a reference count of 1.
   *
   * @param content the content of the object, which is copied
   * @return the location of the object
   * @throws IllegalStateException if the object does not fit or no object index is available
   */
  public GlobalHeapWriter.Reference add(MemorySegment content) {
    if (!hasRoom(content.byteSize())) {
      throw new IllegalStateException(
          "no room in a heap collection: bytes=" + content.byteSize() + " free=" + free());
    }
    int index = last + 1;
    MemorySegment copy = MemorySegment.ofArray(new byte[Math.toIntExact(content.byteSize())]);
    hold(index, new Held(1, copy.copyFrom(content)));
    return new GlobalHeapWriter.Reference(block.address(), index);
  }

  /** Returns the encoded collection as a block to be written. */
  public BlockImage image() {
    ByteWriter out = ByteWriter.withCapacity(Math.toIntExact(block.length()));
    GlobalHeapCollection.header(out, widths, block.length());
    objects.forEach((index, object) -> {
      GlobalHeapCollection.prefix(
          out, widths, index, object.references(), object.content().byteSize());
      out.bytes(object.content()).zeros(Math.floorMod(-(int) object.content().byteSize(), 8));
    });
    GlobalHeapCollection.finish(out, widths, block.length());
    return new BlockImage(block.address(), BlockKind.GLOBAL_HEAP_COLLECTION, out.written());
  }
}
