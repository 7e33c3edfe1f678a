package io.skerry.format.heap;

import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.RecentBlocks;
import io.skerry.format.block.Widths;
import java.lang.foreign.MemorySegment;

/**
 * Reads the global heap of a file: variable-length data and region references, addressed by
 * collection and index. Recently used collections are cached. The returned objects are views that
 * are valid while the source is open. Local, thread-safe. Source: HDF5 File Format Specification
 * 3.0, section III.E, "Global Heap".
 */
public final class GlobalHeap {
  private static final long KEPT = 4 << 20;

  private final ByteSource source;
  private final Widths widths;
  private final RecentBlocks<Block, GlobalHeapCollection> recent = new RecentBlocks<>(KEPT);

  private GlobalHeap(ByteSource source, Widths widths) {
    this.source = source;
    this.widths = widths;
  }

  /** Returns the global heap of a file; reads nothing yet. */
  public static GlobalHeap open(ByteSource source, Widths widths) {
    return new GlobalHeap(source, widths);
  }

  /**
   * Returns an object.
   *
   * @param collection the address of its collection
   * @param index the index of the object, 1 to 65535
   * @throws FormatException if there is no such object or the collection is damaged
   */
  public MemorySegment object(long collection, int index) {
    GlobalHeapCollection found = collection(collection);
    MemorySegment object = found.objects().get(index);
    if (object == null) {
      throw new FormatException(
              "global heap object", "an index of the collection's", "index " + index)
          .atAddress(collection)
          .inFile(source.name());
    }
    return object;
  }

  /**
   * Returns the file space of a collection.
   *
   * @throws FormatException if the collection is damaged
   */
  public Block block(long collection) {
    return collection(collection).block();
  }

  private GlobalHeapCollection collection(long address) {
    try {
      Block block = GlobalHeapCollection.block(source, widths, address);
      GlobalHeapCollection found =
          recent.get(block, block.length(), () -> GlobalHeapCollection.read(source, widths, block));
      if (block.length() / Math.max(1, found.objects().size()) > KEPT) {
        // Objects this large are rare (for example, the mappings of a virtual dataset) and are read
        // only once; in the cache, they would occupy memory a second time.
        recent.forget(block);
      }
      return found;
    } catch (FormatException e) {
      throw e.inFile(source.name()).atAddress(address);
    }
  }
}
