package io.skerry.chunk.format;

import io.skerry.exception.FormatException;
import io.skerry.selection.PointList;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;

/**
 * The order of a list of points that another program stored unsorted. Values are packed in the
 * order in which a selection is iterated, and a list of points is iterated as it stands; in memory
 * all values are in row-major order.
 *
 * @param places per stored value its place in row-major order
 */
record PointOrder(int[] places) {
  /** The order of the list, or empty if it ascends already. */
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

  /** The values in row-major order. */
  void sort(MemorySegment stored, MemorySegment target, int size) {
    for (int i = 0; i < places.length; i++) {
      MemorySegment.copy(stored, (long) i * size, target, (long) places[i] * size, size);
    }
  }
}
