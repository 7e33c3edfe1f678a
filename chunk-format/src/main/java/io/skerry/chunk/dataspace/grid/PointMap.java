package io.skerry.chunk.dataspace.grid;

/**
 * Positions of single elements in a list of points, in ascending order of elements. Takes ownership
 * of the arrays.
 *
 * @param positions position in the list, for each piece
 * @param ranks position among the elements of the slice, for each piece; empty if no element is
 *     repeated, in which case the position equals the number of the piece
 */
record PointMap(int[] positions, int[] ranks) implements ValueMap {
  /**
   * Returns the map of the points in a chunk.
   *
   * @param index elements of the chunk in ascending order, equal elements in the order of their
   *     positions; only the first {@code places.length} entries are read, and none is changed
   * @param places position of each element in the list
   */
  static ValueMap of(long[] index, int[] places) {
    int pieces = places.length;
    int repeated = 0;
    for (int i = 1; i < places.length; i++) {
      pieces -= index[i] == index[i - 1] + 1 && places[i] == places[i - 1] + 1 ? 1 : 0;
      repeated += index[i] == index[i - 1] ? 1 : 0;
    }
    if (pieces < places.length) {
      PieceListMap map = new PieceListMap(pieces);
      for (int i = 0; i < places.length; i++) {
        map.add(index[i], places[i], 1);
      }
      map.finish();
      return map;
    }
    int[] ranks = new int[repeated == 0 ? 0 : places.length];
    for (int i = 1; i < ranks.length; i++) {
      ranks[i] = ranks[i - 1] + (index[i] == index[i - 1] ? 0 : 1);
    }
    return new PointMap(places, ranks);
  }

  @Override
  public int pieces() {
    return positions.length;
  }

  @Override
  public long rank(int piece) {
    return ranks.length == 0 ? piece : ranks[piece];
  }

  @Override
  public long place(int piece) {
    return positions[piece];
  }

  @Override
  public long length(int piece) {
    return 1;
  }

  @Override
  public long places() {
    return positions.length;
  }
}
