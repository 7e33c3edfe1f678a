package io.skerry.selection;

/** Checks whether two selections have the same shape, regardless of their positions. */
final class ShapeComparison {
  private ShapeComparison() {}

  /** Returns whether two resolved selections have the same shape. */
  static boolean same(Selection a, Shape extentOfA, Selection b, Shape extentOfB) {
    long count = a.count(extentOfA);
    if (count != b.count(extentOfB)) {
      return false;
    }
    if (count <= 1) {
      return true;
    }
    int rank = Math.min(extentOfA.rank(), extentOfB.rank());
    Box boundsOfA = SelectionAlgebra.bounds(a).orElseThrow();
    Box boundsOfB = SelectionAlgebra.bounds(b).orElseThrow();
    if (!Projection.isFlat(boundsOfA, rank) || !Projection.isFlat(boundsOfB, rank)) {
      return false;
    }
    Selection first = fromOrigin(a, boundsOfA, rank);
    Selection second = fromOrigin(b, boundsOfB, rank);
    if (first instanceof PointList points) {
      return followsOrder(points, second);
    }
    if (second instanceof PointList points) {
      return followsOrder(points, first);
    }
    return first.equals(second);
  }

  private static Selection fromOrigin(Selection selection, Box bounds, int rank) {
    long[] back = bounds.start();
    for (int d = 0; d < back.length; d++) {
      back[d] = -back[d];
    }
    return Projection.toRank(SelectionAlgebra.simplest(selection).shift(back), rank);
  }

  /**
   * Returns whether a selection contains exactly the points of a list, in the same order. Both must
   * have the same number of elements.
   */
  private static boolean followsOrder(PointList points, Selection other) {
    long[] flat = points.flat();
    int rank = points.dimensions();
    int[] at = {0};
    boolean[] same = {true};
    SelectionAlgebra.forEachRun(
        other,
        (start, length) -> {
          for (long i = 0; i < length && same[0]; i++, at[0] += rank) {
            for (int d = 0; d < rank; d++) {
              same[0] &= flat[at[0] + d] == start[d] + (d == rank - 1 ? i : 0);
            }
          }
        });
    return same[0];
  }
}
