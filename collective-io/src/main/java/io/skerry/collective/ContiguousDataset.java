package io.skerry.collective;

import io.skerry.chunk.space.Selection;
import io.skerry.chunk.space.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A dataset that stands in one block of the file, row-major, as the collective code sees it.
 *
 * @param name path, for messages
 * @param shape extent
 * @param fill one element as in the file: what elements are that nobody wrote
 * @param address of the block; empty if it was not needed yet
 */
public record ContiguousDataset(
    String name, Shape shape, MemorySegment fill, Optional<Long> address) {
  /**
   * What one rank writes.
   *
   * @param selection its elements
   * @param packed their values in selection order, in the file datatype
   */
  public record Part(Selection selection, MemorySegment packed) {
    static final Part NOTHING =
        new Part(Selection.none(), MemorySegment.ofArray(new byte[0]).asReadOnly());
  }

  /** Bytes of an element. */
  public long elementSize() {
    return fill.byteSize();
  }

  /** Bytes of the block. */
  public long bytes() {
    return Math.multiplyExact(shape.elements(), elementSize());
  }

  ContiguousDataset at(long where) {
    return new ContiguousDataset(name, shape, fill, Optional.of(where));
  }
}
