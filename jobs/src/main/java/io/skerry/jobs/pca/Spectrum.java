package io.skerry.jobs.pca;

import java.util.Arrays;

/**
 * The largest eigenvalues of a Gram matrix and their eigenvectors. Arrays are not copied.
 *
 * @param total the sum of all eigenvalues; 0 if even the largest eigenvalue is within rounding
 *     errors
 * @param values the largest eigenvalues in descending order; eigenvalues within rounding errors are
 *     replaced by 0
 * @param vectors the eigenvectors of the first eigenvalues, one after another; the eigenvector of a
 *     zero eigenvalue is meaningless
 */
@SuppressWarnings("ArrayRecordComponent")
record Spectrum(double total, double[] values, double[] vectors) {
  /**
   * A safety factor: an eigenvalue is within rounding errors if its ratio to the largest eigenvalue
   * is at most this factor times the matrix size times the spacing of {@code double} at 1.
   */
  private static final double CARE = 10;

  /** Returns the spectrum of a matrix of size 0. */
  static Spectrum empty() {
    return new Spectrum(0, new double[0], new double[0]);
  }

  /**
   * Computes the spectrum of a matrix.
   *
   * @param matrix the upper triangle, column by column; it is overwritten
   * @param size the number of rows and of columns
   * @param values the number of eigenvalues in the result, at most {@code size}
   * @param vectors the number of eigenvectors in the result, at most {@code values}
   * @param noise an absolute limit; eigenvalues up to the larger of this limit and the limit for
   *     rounding errors are replaced by 0
   * @throws ArithmeticException if the squares of the values overflow, or the iteration does not
   *     converge
   */
  static Spectrum of(
      double[] matrix, int size, int values, int vectors, double noise, LinearAlgebra algebra) {
    double total = 0;
    for (int i = 0; i < size; i++) {
      total += matrix[i * size + i];
    }
    if (!Double.isFinite(total)) {
      throw new ArithmeticException("the squares of the values are too large for binary64");
    }
    double[] ascending = algebra.eigen(matrix, size);
    double least = Math.max(noise, CARE * size * Math.ulp(1.0) * ascending[size - 1]);
    double[] largest = new double[values];
    for (int i = 0; i < values; i++) {
      double value = ascending[size - 1 - i];
      largest[i] = value > least ? value : 0;
    }
    double[] chosen = new double[vectors * size];
    for (int i = 0; i < vectors; i++) {
      System.arraycopy(matrix, (size - 1 - i) * size, chosen, i * size, size);
    }
    return new Spectrum(values > 0 && largest[0] > 0 ? total : 0, largest, chosen);
  }

  /** Returns the number of non-zero eigenvalues among the first {@code among} eigenvalues. */
  int rank(int among) {
    return (int) Arrays.stream(values).limit(among).filter(value -> value > 0).count();
  }

  /** Returns the n-th eigenvalue, counted from 0; 0 if this spectrum has no such eigenvalue. */
  double value(int n) {
    return n < values.length ? values[n] : 0;
  }

  /** Returns the n-th eigenvalue divided by the sum of all eigenvalues; 0 if the sum is 0. */
  double ratio(int n) {
    return total > 0 ? value(n) / total : 0;
  }
}
