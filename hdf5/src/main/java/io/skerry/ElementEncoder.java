package io.skerry;

import io.skerry.chunk.type.Datatype;
import io.skerry.collective.CollectiveFile;
import io.skerry.format.BlockImage;
import io.skerry.format.Widths;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.heap.GlobalHeapWriter;
import io.skerry.value.Value;
import io.skerry.value.ValueWriter;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Encodes values for a file and stores what they keep in the global heap: new blocks, written
 * before the commit that leads to them.
 */
final class ElementEncoder {
  private final CollectiveFile file;
  private final Widths widths;

  ElementEncoder(NativeFile file) {
    this.file = file.collective();
    this.widths = file.tree().widths();
  }

  /**
   * Encodes this rank's own values: each rank's heap blocks go to a stretch of its own. Collective.
   */
  MemorySegment own(String path, Datatype type, List<Value> values) {
    // The addresses depend on the sizes of all ranks' blocks, so the first pass only measures.
    long base =
        file.reserve(
            path,
            () -> {
              SpaceAllocator measure = SpaceAllocator.startingAt(0);
              GlobalHeapWriter heap = GlobalHeapWriter.create(widths, measure);
              MemorySegment unused = new ValueWriter(widths, heap::add).writeAll(type, values);
              return measure.endOfFile();
            });
    GlobalHeapWriter heap = GlobalHeapWriter.create(widths, SpaceAllocator.startingAt(base));
    MemorySegment packed = new ValueWriter(widths, heap::add).writeAll(type, values);
    file.store(path, heap.commit());
    return packed;
  }

  /** Encodes values that are the same on all ranks; the first rank stores them. Collective. */
  MemorySegment common(String path, Datatype type, List<Value> values) {
    GlobalHeapWriter heap = GlobalHeapWriter.create(widths, file.space());
    MemorySegment packed = new ValueWriter(widths, heap::add).writeAll(type, values);
    List<BlockImage> blocks = heap.commit();
    file.store(path, file.ranks().rank() == 0 ? blocks : List.of());
    return packed;
  }
}
