package io.skerry.jobs.interchange.form;

import java.lang.foreign.MemorySegment;

/**
 * Some elements and where they are.
 *
 * @param rank coordinates of each element
 * @param coordinates one element after the other
 * @param values packed, as they are stored
 */
public record Entries(int rank, long[] coordinates, MemorySegment values) {
  /** Most elements that travel together. */
  static final int MOST = 1 << 18;

  /** Number of elements. */
  public int count() {
    return coordinates.length / rank;
  }

  /** A coordinate of an element. */
  long at(int element, int dimension) {
    return coordinates[element * rank + dimension];
  }

  /** One coordinate of all elements. */
  long[] dimension(int dimension) {
    long[] all = new long[count()];
    for (int element = 0; element < all.length; element++) {
      all[element] = at(element, dimension);
    }
    return all;
  }
}
