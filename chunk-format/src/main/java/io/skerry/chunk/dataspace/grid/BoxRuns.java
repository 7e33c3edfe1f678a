package io.skerry.chunk.dataspace.grid;

import java.util.Arrays;

/**
 * The runs of a box in an array, by row-major index. All runs have the same length; the start of a
 * run is computed from its number. Immutable.
 */
final class BoxRuns {
  private final long base;
  private final long length;
  private final int count;

  /**
   * For each dimension before those that a run covers, the number of coordinates of the box; {@code
   * steps} holds the distance between adjacent coordinates, in elements of the array.
   */
  private final long[] counts;

  private final long[] steps;

  private BoxRuns(long base, long length, int count, long[] counts, long[] steps) {
    this.base = base;
    this.length = length;
    this.count = count;
    this.counts = counts;
    this.steps = steps;
  }

  /**
   * Returns the runs of a box.
   *
   * @param start first coordinate of the box in the array, in each dimension
   * @param size number of elements of the box in each dimension, at least 1
   * @param shape number of elements of the array in each dimension
   * @throws ArithmeticException if there are more than 2^31-1 runs
   */
  static BoxRuns of(long[] start, long[] size, long[] shape) {
    int rank = shape.length;
    long[] step = new long[rank];
    long base = 0;
    long product = 1;
    for (int d = rank - 1; d >= 0; d--) {
      step[d] = product;
      base += start[d] * product;
      product *= shape[d];
    }
    // If the box spans the array in a dimension, the elements of adjacent coordinates of the
    // next outer dimension are contiguous.
    int spread = rank - 1;
    long length = size[spread];
    while (spread > 0 && size[spread] == shape[spread]) {
      spread--;
      length *= size[spread];
    }
    long[] counts = Arrays.copyOf(size, spread);
    long count = 1;
    for (long along : counts) {
      count = Math.multiplyExact(count, along);
    }
    return new BoxRuns(base, length, Math.toIntExact(count), counts, Arrays.copyOf(step, spread));
  }

  /** Returns the number of runs. */
  int count() {
    return count;
  }

  /** Returns the number of elements in each run. */
  long length() {
    return length;
  }

  /** Returns the index of the first element of a run. */
  long start(int run) {
    long at = base;
    long rest = run;
    for (int d = counts.length - 1; d > 0; d--) {
      at += rest % counts[d] * steps[d];
      rest /= counts[d];
    }
    return counts.length == 0 ? at : at + rest * steps[0];
  }
}
