package io.skerry.chunk.dataspace.grid;

/**
 * The mapping between values of a packed selection and elements of one chunk, as pieces in
 * ascending order of elements. A piece is contiguous both in the packed selection and among the
 * packed values of the slice. Immutable once a slice refers to it.
 */
sealed interface ValueMap permits PieceListMap, PointMap, BoxMap, IdentityMap {
  int pieces();

  /** Returns the position of the first element of a piece among the elements of the slice. */
  long rank(int piece);

  /** Returns the position of the first value of a piece in the packed selection. */
  long place(int piece);

  /** Returns the number of values in a piece. */
  long length(int piece);

  /** Returns the total number of values; repeated points count each time. */
  long places();
}
