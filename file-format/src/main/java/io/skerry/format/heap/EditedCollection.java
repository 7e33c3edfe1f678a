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
 * A collection of the global heap that changes in memory: objects are taken out and put in. Those
 * that stay keep their index and move together, so that all free space is at the end. The ruler is
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
   * The collection at an address of a file.
   *
   * @throws FormatException if it is damaged
   */
  public static EditedCollection read(ByteSource source, Widths widths, long address) {
    Block block = GlobalHeapCollection.block(source, widths, address);
    return of(widths, block, source.read(block.address(), block.length()));
  }

  /**
   * A collection whose bytes are at hand.
   *
   * @throws FormatException if it is damaged
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

  /** The space it takes. */
  public Block block() {
    return block;
  }

  /** Takes an object out; returns whether there was one of that index. */
  public boolean remove(int index) {
    Held gone = objects.remove(index);
    if (gone == null) {
      return false;
    }
    used -= size(gone.content().byteSize());
    return true;
  }

  /** Whether no object is left. */
  public boolean isEmpty() {
    return objects.isEmpty();
  }

  /** Bytes behind the last object. */
  public long free() {
    return block.length() - used;
  }

  /** Whether an object of so many bytes finds room. */
  public boolean hasRoom(long length) {
    return size(length) <= free() && last < MOST_OBJECTS;
  }

  /**
   * Puts an object in, with one reference to it.
   *
   * @param content copied
   * @throws IllegalStateException if it has no room
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

  /** Its bytes as they are to be written. */
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
