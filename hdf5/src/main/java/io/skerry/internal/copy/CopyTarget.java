package io.skerry.internal.copy;

import io.skerry.format.FormatBounds;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.Widths;
import io.skerry.format.heap.GlobalHeapWriter;
import io.skerry.internal.file.NativeFile;
import java.util.ArrayList;
import java.util.List;

/**
 * Where copies go. What all ranks know alike (attributes, values in headers, names of files) shares
 * one run of heap collections, so that little content takes little space; the first rank stores it.
 */
final class CopyTarget {
  private final NativeFile file;
  private final GlobalHeapWriter heap;
  private final List<BlockImage> blocks = new ArrayList<>();

  CopyTarget(NativeFile file) {
    this.file = file;
    // The space of the moment: when the source is the same file, reading from it flushes, and a
    // flush leaves another allocator behind.
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

  /** For whom new objects are. */
  FormatBounds bounds() {
    return file.tree().forms().bounds();
  }

  /** The heap for what is the same on all ranks. */
  GlobalHeapWriter heap() {
    return heap;
  }

  /** Takes a block that is the same on all ranks. */
  void store(BlockImage block) {
    blocks.add(block);
  }

  /** Writes the heap and the blocks. Collective. */
  void commit(String subject) {
    blocks.addAll(heap.commit());
    boolean first = file.collective().ranks().rank() == 0;
    file.collective().store(subject, first ? List.copyOf(blocks) : List.of());
    blocks.clear();
  }
}
