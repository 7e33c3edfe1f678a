package io.skerry.jobs.pca;

/**
 * A sparse vector: a list of elements in any order, with each index at most once. All other
 * elements are zero. The object can be reused.
 */
final class SparseVector {
  private final int[] indices;
  private final double[] values;
  private int count;

  /**
   * Creates a vector without elements.
   *
   * @param capacity the maximum number of elements
   */
  SparseVector(int capacity) {
    indices = new int[capacity];
    values = new double[capacity];
  }

  /** Returns the number of listed elements. */
  int count() {
    return count;
  }

  /** Returns the index of the n-th listed element. */
  int index(int n) {
    return indices[n];
  }

  /** Returns the value of the n-th listed element. */
  double value(int n) {
    return values[n];
  }

  /** Removes all elements. */
  void clear() {
    count = 0;
  }

  /** Adds an element to the list. */
  void put(int index, double value) {
    indices[count] = index;
    values[count++] = value;
  }

  /** Adds a number to the value of the n-th listed element. */
  void increase(int n, double by) {
    values[n] += by;
  }
}
