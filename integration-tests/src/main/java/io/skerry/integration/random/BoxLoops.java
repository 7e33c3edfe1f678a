package io.skerry.integration.random;

/** Plain loops over boxes, independent of the tested selection code. */
public final class BoxLoops {
  private BoxLoops() {}

  /** Receives row-major indices. */
  @FunctionalInterface
  public interface Visitor {
    void visit(long index);
  }

  /** Visits the elements of a box in row-major order. */
  public static void forEach(long[] extent, long[] start, long[] size, Visitor visitor) {
    long[] at = new long[extent.length];
    if (volume(size) == 0) {
      return;
    }
    while (true) {
      long index = 0;
      for (int d = 0; d < extent.length; d++) {
        index = index * extent[d] + start[d] + at[d];
      }
      visitor.visit(index);
      int d = extent.length - 1;
      while (d >= 0 && ++at[d] == size[d]) {
        at[d--] = 0;
      }
      if (d < 0) {
        return;
      }
    }
  }

  public static long volume(long[] size) {
    long product = 1;
    for (long s : size) {
      product *= s;
    }
    return product;
  }

  /** Returns the row-major index of the coordinates at {@code from} in {@code flat}. */
  public static long index(long[] extent, long[] flat, int from) {
    long index = 0;
    for (int d = 0; d < extent.length; d++) {
      index = index * extent[d] + flat[from + d];
    }
    return index;
  }
}
