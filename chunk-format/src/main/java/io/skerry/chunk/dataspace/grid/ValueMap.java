package io.skerry.chunk.dataspace.grid;

/**
 * The mapping between values of a packed selection and elements of one chunk: pieces in ascending
 * order of elements that are contiguous on both sides. Immutable once a slice refers to it.
 */
sealed interface ValueMap permits PieceListMap, PointMap, BoxMap, IdentityMap {
  int pieces();

  /** Position of the first element of a piece among the elements of the slice. */
  long rank(int piece);

  /** Position of the first value of a piece in the packed selection. */
  long place(int piece);

  /** Number of values in a piece. */
  long length(int piece);

  /** Number of values in all pieces; greater than the number of elements if points are repeated. */
  long places();
}
