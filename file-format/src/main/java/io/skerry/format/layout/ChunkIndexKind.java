package io.skerry.format.layout;

import io.skerry.selection.Shape;

/** The chunk indexes. */
public enum ChunkIndexKind {
  /** One chunk, recorded in the layout message itself. */
  SINGLE,
  /** None: all chunks in one block; nothing is unlimited, nothing filtered. */
  IMPLICIT,
  /** A fixed array: no dimension is unlimited. */
  FIXED_ARRAY,
  /** An extensible array: exactly one dimension is unlimited. */
  EXTENSIBLE_ARRAY,
  /** A version 1 B-tree: the only one under layout version 3, whatever the shape. */
  BTREE_1,
  /** A version 2 B-tree: several dimensions are unlimited. */
  BTREE_2;

  /**
   * The kind that HDF5 chooses under layout versions 4 and 5, space being taken late.
   *
   * @param shape of the dataset
   * @param chunk sizes per dimension, in elements
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
