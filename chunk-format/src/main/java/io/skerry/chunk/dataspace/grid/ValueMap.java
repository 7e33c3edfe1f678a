package io.skerry.chunk.dataspace.grid;

/**
 * Which values of a packed selection belong to which elements of one chunk, in pieces in ascending
 * order of element that are contiguous on both sides. Immutable once a slice has it.
 */
sealed interface ValueMap permits PieceListMap, PointMap, BoxMap, IdentityMap {
  int pieces();

  /** Position of the piece's first element among the elements of the slice. */
  long rank(int piece);

  /** Position of the piece's first value in the packed selection. */
  long place(int piece);

  /** Number of values of the piece. */
  long length(int piece);

  /** Number of values of all pieces; more than elements where points are named repeatedly. */
  long places();
}
