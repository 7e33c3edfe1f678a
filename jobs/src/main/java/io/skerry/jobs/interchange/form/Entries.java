package io.skerry.jobs.interchange.form;

import java.lang.foreign.MemorySegment;

/**
 * A batch of elements and their coordinates.
 *
 * @param rank the number of coordinates of each element
 * @param coordinates the coordinates, grouped by element
 * @param values the elements, packed, in the datatype of the array
 */
public record Entries(int rank, long[] coordinates, MemorySegment values) {
  /** The maximum number of elements in a batch. */
  static final int MOST = 1 << 18;

  /**
   * The size in bytes to which {@link #most} limits the values of a batch of more than one element.
   */
  private static final int MOST_BYTES = 1 << 24;

  /**
   * Returns the maximum number of elements in a batch that is read from an HDF5 file by an import.
   * The number is smaller for large elements, so that the values of a batch fit into memory.
   *
   * @param size the size of an element in bytes, at least 1
   */
  static int most(int size) {
    return Math.clamp(MOST_BYTES / size, 1, MOST);
  }

  /** Returns the number of elements. */
  public int count() {
    return coordinates.length / rank;
  }

  /** Returns a coordinate of an element. */
  long at(int element, int dimension) {
    return coordinates[element * rank + dimension];
  }

  /** Returns the coordinates of all elements in one dimension. */
  long[] dimension(int dimension) {
    long[] all = new long[count()];
    for (int element = 0; element < all.length; element++) {
      all[element] = at(element, dimension);
    }
    return all;
  }
}
