package io.skerry.format.heap;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.Widths;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Packs variable-length values and region references into collections of the global heap. Existing
 * collections with free space are filled first; then new ones are created. A new collection has at
 * least 4096 bytes, and its space is allocated when its first value is added. A value that does not
 * fit into a new collection of 4096 bytes is stored in a separate, larger one. Not thread-safe;
 * local. The same calls with identical collections and addresses produce identical blocks and
 * references.
 */
public final class GlobalHeapWriter {
  private static final int MOST_OBJECTS = 0xffff;

  private final Widths widths;
  private final Places places;
  private final List<EditedCollection> existing;
  private final List<EditedCollection> filled = new ArrayList<>();
  private final List<BlockImage> finished = new ArrayList<>();
  private Open open = Open.NONE;

  /** Assigns addresses to new collections. */
  @FunctionalInterface
  public interface Places {
    /** Returns the address of a new collection of the given size in bytes. */
    long next(long bytes);
  }

  /**
   * The location of a value in the global heap.
   *
   * @param collection the address of the collection
   * @param index the index in the collection, 1 to 65535
   */
  public record Reference(long collection, int index) implements Comparable<Reference> {
    @Override
    public int compareTo(Reference other) {
      int byCollection = Long.compareUnsigned(collection, other.collection);
      return byCollection != 0 ? byCollection : Integer.compare(index, other.index);
    }
  }

  /**
   * The new collection to which objects are currently added.
   *
   * @param place its file space; meaningless while {@code bytes} is empty
   * @param bytes the header and the objects added so far
   * @param objects the number of objects added so far
   */
  private record Open(Block place, ByteWriter bytes, int objects) {
    static final Open NONE = new Open(new Block(0, 1), ByteWriter.create(), 0);

    long room() {
      return bytes.position() == 0 ? 0 : place.length() - bytes.position();
    }
  }

  private GlobalHeapWriter(Widths widths, List<EditedCollection> existing, Places places) {
    this.widths = widths;
    this.existing = existing;
    this.places = places;
  }

  /** Creates a writer without existing collections. */
  public static GlobalHeapWriter create(Widths widths, SpaceAllocator allocator) {
    return create(widths, List.of(), bytes -> allocator.allocateData(bytes).address());
  }

  /**
   * Creates a writer that fills existing collections first.
   *
   * @param widths the sizes of offsets and lengths in the file
   * @param existing the collections to fill; the caller must not change them afterwards
   * @param places the function that assigns addresses to new collections
   */
  public static GlobalHeapWriter create(
      Widths widths, List<EditedCollection> existing, Places places) {
    return new GlobalHeapWriter(widths, existing, places);
  }

  /**
   * Stores a value with a reference count of 1.
   *
   * @param object the value, which is copied; may be empty
   * @return the location of the value
   */
  public Reference add(MemorySegment object) {
    long length = object.byteSize();
    for (EditedCollection collection : existing) {
      if (collection.hasRoom(length)) {
        if (!filled.contains(collection)) {
          filled.add(collection);
        }
        return collection.add(object);
      }
    }
    int prefix = GlobalHeapCollection.objectHeaderSize(widths);
    long needed = prefix + GlobalHeapCollection.padded(length);
    long header = GlobalHeapCollection.headerSize(widths);
    if (header + needed > GlobalHeapCollection.LEAST_SIZE) {
      return addToOwnCollection(object, header + needed);
    }
    if (open.room() < needed || open.objects() == MOST_OBJECTS) {
      close();
      open = begin(GlobalHeapCollection.LEAST_SIZE);
    }
    append(object);
    return new Reference(open.place().address(), open.objects());
  }

  private Reference addToOwnCollection(MemorySegment object, long size) {
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
    GlobalHeapCollection.header(out, widths, size);
    return new Open(new Block(places.next(size), size), out, 0);
  }

  private void append(MemorySegment object) {
    open = new Open(open.place(), open.bytes(), open.objects() + 1);
    GlobalHeapCollection.prefix(open.bytes(), widths, open.objects(), 1, object.byteSize());
    open.bytes().bytes(object).zeros(Math.floorMod(-(int) object.byteSize(), 8));
  }

  private void close() {
    if (open.bytes().position() == 0) {
      return;
    }
    GlobalHeapCollection.finish(open.bytes(), widths, open.place().length());
    finished.add(
        new BlockImage(
            open.place().address(), BlockKind.GLOBAL_HEAP_COLLECTION, open.bytes().written()));
    open = Open.NONE;
  }

  /**
   * Finishes the current collection and returns the new collections that no earlier call returned.
   */
  public List<BlockImage> commit() {
    close();
    List<BlockImage> images = List.copyOf(finished);
    finished.clear();
    return images;
  }

  /** Returns the existing collections to which objects were added. */
  public List<EditedCollection> filled() {
    return List.copyOf(filled);
  }
}
