package io.skerry.chunk.dataspace.grid;

import java.util.Arrays;

/**
 * The runs of a box in an array of some shape, by row-major index: all of one length, and each
 * where its number says. Immutable.
 */
final class BoxRuns {
  private final long base;
  private final long length;
  private final int count;

  /**
   * Of the dimensions that the runs are spread over: how many, and how far from one to the next.
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
   * The runs of a box.
   *
   * @param start first element of the box in the array, per dimension
   * @param size elements of the box; at least 1 each
   * @param shape elements of the array
   * @throws ArithmeticException if there are more than 2^31 - 1 runs
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
    // Where the box spans a dimension, what is under one coordinate goes on under the next.
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

  /** Number of runs. */
  int count() {
    return count;
  }

  /** Elements of each. */
  long length() {
    return length;
  }

  /** Index of the first element of one. */
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
