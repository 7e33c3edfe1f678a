package io.skerry.chunk.format;

import io.skerry.exception.FormatException;
import io.skerry.selection.PointList;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;

/**
 * The order of a list of points that another program stored unsorted. Stored values are in the
 * iteration order of the selection, which for a list of points is the order of the list. In memory,
 * all values are in row-major order.
 *
 * @param places the position of each stored value among the values in row-major order
 */
record PointOrder(int[] places) {
  /**
   * Returns the order of a list of points; empty if the points are already in row-major order.
   *
   * @param points the points, each within the shape
   * @param shape the shape of the array that the points refer to, in elements
   * @throws FormatException if the list contains a point more than once
   */
  static Optional<PointOrder> of(PointList points, long[] shape) {
    long[] indices = new long[points.size()];
    boolean ascends = true;
    for (int i = 0; i < indices.length; i++) {
      long index = 0;
      for (int d = 0; d < shape.length; d++) {
        index = index * shape[d] + points.coordinate(i, d);
      }
      indices[i] = index;
      ascends &= i == 0 || indices[i - 1] < index;
    }
    if (ascends) {
      return Optional.empty();
    }
    long[] sorted = indices.clone();
    Arrays.sort(sorted);
    int[] places = new int[indices.length];
    for (int i = 0; i < places.length; i++) {
      places[i] = Arrays.binarySearch(sorted, indices[i]);
      if (i > 0 && sorted[i] == sorted[i - 1]) {
        throw new FormatException("points of section 0", "each once", "element " + sorted[i]);
      }
    }
    return Optional.of(new PointOrder(places));
  }

  /** Copies the stored values, of {@code size} bytes each, to the target in row-major order. */
  void sort(MemorySegment stored, MemorySegment target, int size) {
    for (int i = 0; i < places.length; i++) {
      MemorySegment.copy(stored, (long) i * size, target, (long) places[i] * size, size);
    }
  }
}
