package io.skerry.internal.copy;

import io.skerry.format.FormatBounds;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.Widths;
import io.skerry.format.heap.GlobalHeapWriter;
import io.skerry.internal.file.NativeFile;
import java.util.ArrayList;
import java.util.List;

/**
 * The target of a copy. Data that are equal on all ranks (attributes, values in headers, names of
 * files) share one series of heap collections, so that small amounts of content take little space;
 * rank 0 stores these collections.
 */
final class CopyTarget {
  private final NativeFile file;
  private final GlobalHeapWriter heap;
  private final List<BlockImage> blocks = new ArrayList<>();

  CopyTarget(NativeFile file) {
    this.file = file;
    // The allocator is requested for each collection: if the source is the same file, a read from
    // it flushes, and a flush replaces the allocator.
    this.heap =
        GlobalHeapWriter.create(
            file.tree().widths(),
            List.of(),
            bytes -> file.collective().space().allocateData(bytes).address());
  }

  NativeFile file() {
    return file;
  }

  Widths widths() {
    return file.tree().widths();
  }

  /** Returns the format version bounds of new objects. */
  FormatBounds bounds() {
    return file.tree().forms().bounds();
  }

  /** Returns the heap for data that are equal on all ranks. */
  GlobalHeapWriter heap() {
    return heap;
  }

  /** Adds a block that is equal on all ranks. */
  void store(BlockImage block) {
    blocks.add(block);
  }

  /** Writes the heap and the blocks. Collective. */
  void commit(String subject) {
    blocks.addAll(heap.commit());
    boolean first = file.collective().ranks().rank() == 0;
    file.collective().blocks().store(subject, first ? List.copyOf(blocks) : List.of());
    blocks.clear();
  }
}
