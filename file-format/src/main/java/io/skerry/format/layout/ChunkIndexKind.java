package io.skerry.format.layout;

import io.skerry.selection.Shape;

/**
 * Kinds of chunk indexes. Source: HDF5 File Format Specification 3.0, section VII, "Appendix C:
 * Types of Indexes for Dataset Chunks".
 */
public enum ChunkIndexKind {
  /** A single chunk, whose record is stored in the layout message itself. */
  SINGLE,
  /**
   * No index: all chunks are stored in one block. Requires that no dimension is unlimited and that
   * there are no filters.
   */
  IMPLICIT,
  /** A fixed array, for datasets without unlimited dimensions. */
  FIXED_ARRAY,
  /** An extensible array, for datasets with exactly one unlimited dimension. */
  EXTENSIBLE_ARRAY,
  /** A version 1 B-tree, the only index before layout version 4, for datasets of every shape. */
  BTREE_1,
  /** A version 2 B-tree, for datasets with several unlimited dimensions. */
  BTREE_2;

  /**
   * Returns the kind that HDF5 chooses for layout versions 4 and 5 with late or incremental
   * allocation.
   *
   * @param shape the current and maximum extent of the dataset
   * @param chunk the size of a chunk in each dimension, in elements
   */
  public static ChunkIndexKind of(Shape shape, long[] chunk) {
    int unlimited = 0;
    boolean oneChunk = true;
    for (int i = 0; i < shape.rank(); i++) {
      unlimited += shape.maximum(i) == Shape.UNLIMITED ? 1 : 0;
      oneChunk &= shape.extent(i) == shape.maximum(i) && shape.extent(i) == chunk[i];
    }
    if (unlimited > 1) {
      return BTREE_2;
    }
    return unlimited == 1 ? EXTENSIBLE_ARRAY : oneChunk ? SINGLE : FIXED_ARRAY;
  }
}
