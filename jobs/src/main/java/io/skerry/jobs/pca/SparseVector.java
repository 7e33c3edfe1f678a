package io.skerry.jobs.pca;

/** Some elements of a vector, in any order, each at most once; the others are zero. Reusable. */
final class SparseVector {
  private final int[] indices;
  private final double[] values;
  private int count;

  /**
   * @param capacity most elements
   */
  SparseVector(int capacity) {
    indices = new int[capacity];
    values = new double[capacity];
  }

  /** Number of elements. */
  int count() {
    return count;
  }

  /** Index of the n-th element. */
  int index(int n) {
    return indices[n];
  }

  /** Value of the n-th element. */
  double value(int n) {
    return values[n];
  }

  /** Forgets all elements. */
  void clear() {
    count = 0;
  }

  /** Adds an element. */
  void put(int index, double value) {
    indices[count] = index;
    values[count++] = value;
  }

  /** Adds to the value of the n-th element. */
  void increase(int n, double by) {
    values[n] += by;
  }
}
