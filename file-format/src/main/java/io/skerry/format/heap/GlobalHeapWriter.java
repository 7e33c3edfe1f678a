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
 * Packs byte sequences into collections of the global heap: variable-length values and region
 * references. Short ones go to collections with room that it was given; then it begins new ones. A
 * collection has at least 4096 bytes and its space is taken when it is begun; a sequence that does
 * not fit into one gets its own. Not thread-safe; local; equal calls on equal rooms and places give
 * equal blocks and references.
 */
public final class GlobalHeapWriter {
  private static final int MOST_OBJECTS = 0xffff;

  private final Widths widths;
  private final Places places;
  private final List<EditedCollection> rooms;
  private final List<EditedCollection> filled = new ArrayList<>();
  private final List<BlockImage> finished = new ArrayList<>();
  private Open open = Open.NONE;

  /** Says where collections that are begun will stand. */
  @FunctionalInterface
  public interface Places {
    /** The address of the next collection, of so many bytes. */
    long next(long bytes);
  }

  /**
   * Where a byte sequence is.
   *
   * @param collection address of the collection
   * @param index in it, 1 to 65535
   */
  public record Reference(long collection, int index) implements Comparable<Reference> {
    @Override
    public int compareTo(Reference other) {
      int byCollection = Long.compareUnsigned(collection, other.collection);
      return byCollection != 0 ? byCollection : Integer.compare(index, other.index);
    }
  }

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

  private GlobalHeapWriter(Widths widths, List<EditedCollection> rooms, Places places) {
    this.widths = widths;
    this.rooms = rooms;
    this.places = places;
  }

  /** A writer without collection yet. */
  public static GlobalHeapWriter create(Widths widths, SpaceAllocator allocator) {
    return create(widths, List.of(), bytes -> allocator.allocateData(bytes).address());
  }

  /**
   * A writer that first fills collections that exist.
   *
   * @param rooms to be filled; they belong to the writer from now on
   */
  public static GlobalHeapWriter create(
      Widths widths, List<EditedCollection> rooms, Places places) {
    return new GlobalHeapWriter(widths, rooms, places);
  }

  /**
   * Stores a sequence, which may have no bytes, with one reference to it.
   *
   * @param object copied
   */
  public Reference add(MemorySegment object) {
    long length = object.byteSize();
    for (EditedCollection room : rooms) {
      if (room.hasRoom(length)) {
        if (!filled.contains(room)) {
          filled.add(room);
        }
        return room.add(object);
      }
    }
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

  /** Ends the collection begun last and returns all new ones that were not returned before. */
  public List<BlockImage> commit() {
    close();
    List<BlockImage> images = List.copyOf(finished);
    finished.clear();
    return images;
  }

  /** Those of the given collections that have got objects. */
  public List<EditedCollection> filled() {
    return List.copyOf(filled);
  }
}
