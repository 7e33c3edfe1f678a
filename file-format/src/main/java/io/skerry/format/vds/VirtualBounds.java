package io.skerry.format.vds;

import io.skerry.chunk.dataspace.encoding.SelectionBounds;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * A cursor that computes the bounding boxes of the virtual selections of mappings, without decoding
 * the selections if that is possible. Local, not thread-safe.
 */
public final class VirtualBounds {
  private final SelectionBounds bounds;
  private final IntConsumer mover;

  /**
   * Creates a cursor.
   *
   * @param bounds the bounds of the current mapping
   * @param mover the function that moves {@code bounds} to the virtual selection of the mapping
   *     with the given index
   */
  VirtualBounds(SelectionBounds bounds, IntConsumer mover) {
    this.bounds = bounds;
    this.mover = mover;
  }

  /** Returns a cursor over decoded mappings. */
  static VirtualBounds of(List<VirtualMapping> entries) {
    SelectionBounds bounds =
        new SelectionBounds(MemorySegment.ofArray(new byte[0]), MappingDecoder.STRUCTURE);
    return new VirtualBounds(bounds, index -> bounds.set(entries.get(index).virtual()));
  }

  /** Moves to the mapping with the given index and returns the bounds of its virtual selection. */
  public SelectionBounds at(int mapping) {
    mover.accept(mapping);
    return bounds;
  }
}
