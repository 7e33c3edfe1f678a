package io.skerry.jobs.pca;

import java.util.Arrays;

/**
 * Computes the sum of the outer products of sparse vectors with themselves. Vectors with elements
 * at many common indices are packed together: each index at which any of them has an element
 * becomes a row of a small dense matrix, which {@code dsyrk} multiplies by its transpose.
 */
final class GramMatrix {
  /** The maximum number of rows of a square matrix that fits into one Java array. */
  static final int LARGEST = 46_340;

  /** The cost of adding one element of a product to the matrix, in multiplications. */
  private static final long PLACING = 16;

  /** The fixed cost of one product, in multiplications. */
  private static final long CALL = 2000;

  private static final int MOST_VECTORS = 128;
  private static final int MOST_ELEMENTS = 1 << 23;

  private final int size;
  private final LinearAlgebra algebra;
  private final double[] upper;
  private final int[] rowOf;
  private final int[] members;
  private int rows;
  private final int[] ends = new int[MOST_VECTORS];
  private int vectors;
  private int[] indices = new int[1024];
  private double[] values = new double[1024];

  /** Creates a matrix of zeros. */
  GramMatrix(int size, LinearAlgebra algebra) {
    this.size = size;
    this.algebra = algebra;
    upper = new double[size * size];
    rowOf = new int[size];
    members = new int[size];
    Arrays.fill(rowOf, -1);
  }

  /**
   * Returns the approximate size of a matrix in memory, in bytes, including the work arrays of its
   * products.
   */
  static long bytes(long size) {
    return 10 * size * size + 8 * size * MOST_VECTORS;
  }

  /** Adds the outer product of a vector with itself. */
  void add(SparseVector vector) {
    if (vector.count() == 0) {
      return;
    }
    if (vectors > 0 && !isWorthPacking(vector)) {
      finish();
    }
    int at = vectors == 0 ? 0 : ends[vectors - 1];
    int end = at + vector.count();
    if (end > indices.length) {
      indices = Arrays.copyOf(indices, Math.max(end, 2 * indices.length));
      values = Arrays.copyOf(values, indices.length);
    }
    for (int n = 0; n < vector.count(); n++) {
      int index = vector.index(n);
      indices[at + n] = index;
      values[at + n] = vector.value(n);
      if (rowOf[index] < 0) {
        rowOf[index] = rows;
        members[rows++] = index;
      }
    }
    ends[vectors++] = end;
  }

  /**
   * Returns whether packing a vector together with the vectors already packed costs no more than
   * two separate products, and fits the limits of a pack.
   */
  private boolean isWorthPacking(SparseVector vector) {
    int together = rows;
    for (int n = 0; n < vector.count(); n++) {
      together += rowOf[vector.index(n)] < 0 ? 1 : 0;
    }
    return vectors < MOST_VECTORS
        && (long) packedRows(together) * (vectors + 1) <= MOST_ELEMENTS
        && cost(together, vectors + 1) <= cost(rows, vectors) + cost(vector.count(), 1);
  }

  private long cost(int height, int width) {
    long packed = packedRows(height);
    return packed * packed * (width + PLACING) + CALL;
  }

  /**
   * Returns the number of rows of the packed matrix. If at least half of all rows are needed, the
   * packed matrix has all rows, and the product is added in place without a separate matrix.
   */
  private int packedRows(int height) {
    return 2L * height >= size ? size : height;
  }

  /** Adds the product of the packed vectors to the matrix and begins a new pack. */
  private void finish() {
    int height = packedRows(rows);
    if (height == size) {
      for (int index = 0; index < size; index++) {
        rowOf[index] = index;
      }
      algebra.addProduct(packed(height), size, vectors, upper);
    } else {
      // Sorted, so that the upper triangle of the product maps to the upper triangle of the matrix.
      Arrays.sort(members, 0, rows);
      for (int row = 0; row < rows; row++) {
        rowOf[members[row]] = row;
      }
      double[] product = new double[rows * rows];
      algebra.addProduct(packed(height), rows, vectors, product);
      place(product);
    }
    if (height == size) {
      Arrays.fill(rowOf, -1);
    } else {
      for (int row = 0; row < rows; row++) {
        rowOf[members[row]] = -1;
      }
    }
    rows = 0;
    vectors = 0;
  }

  private double[] packed(int height) {
    double[] matrix = new double[height * vectors];
    int at = 0;
    for (int column = 0; column < vectors; column++) {
      for (; at < ends[column]; at++) {
        matrix[column * height + rowOf[indices[at]]] = values[at];
      }
    }
    return matrix;
  }

  private void place(double[] product) {
    for (int column = 0; column < rows; column++) {
      int to = members[column] * size;
      for (int row = 0; row <= column; row++) {
        upper[to + members[row]] += product[column * rows + row];
      }
    }
  }

  /**
   * Returns the sum of the products added so far: the internal array with the upper triangle,
   * column by column. The caller may sum it over the ranks in place.
   */
  double[] upper() {
    if (vectors > 0) {
      finish();
    }
    return upper;
  }

  /**
   * Centers a matrix whose vectors are pixels, with one element per frame. The result equals the
   * matrix of the same vectors after the mean of each vector has been subtracted from its elements.
   */
  void centerElements() {
    double[] sums = new double[size];
    double[] matrix = upper();
    for (int column = 0; column < size; column++) {
      for (int row = 0; row < column; row++) {
        double element = matrix[column * size + row];
        sums[row] += element;
        sums[column] += element;
      }
      sums[column] += matrix[column * size + column];
    }
    double mean = Arrays.stream(sums).sum() / size / size;
    for (int column = 0; column < size; column++) {
      for (int row = 0; row <= column; row++) {
        matrix[column * size + row] -= sums[row] / size + sums[column] / size - mean;
      }
    }
  }

  /**
   * Centers a matrix whose vectors are frames, with one element per active pixel: subtracts the
   * contribution of the means that {@link ActivePixels#meanLeft} returns.
   *
   * @param pixels the active pixels, which correspond to the elements of the vectors
   * @param frames the number of frames on all ranks
   */
  void centerVectors(ActivePixels pixels, int frames) {
    double[] matrix = upper();
    if (pixels.isCentered()) {
      return;
    }
    for (int column = 0; column < size; column++) {
      double mean = frames * pixels.meanLeft(column);
      for (int row = 0; row <= column && mean != 0; row++) {
        matrix[column * size + row] -= mean * pixels.meanLeft(row);
      }
    }
  }
}
