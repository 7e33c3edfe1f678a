package io.skerry.jobs.pca;

import java.util.Arrays;

/**
 * The largest eigenvalues of a Gram matrix, descending, and their eigenvectors. Arrays are not
 * copied.
 *
 * @param total sum of all eigenvalues
 * @param values some of them; those that cannot be told from rounding errors are zero
 * @param vectors for each of the first ones a vector, one after the other; of an eigenvalue that is
 *     zero it has no meaning
 */
@SuppressWarnings("ArrayRecordComponent")
record Spectrum(double total, double[] values, double[] vectors) {
  /** How much greater than the unit of rounding the errors of an eigenvalue may be. */
  private static final double CARE = 10;

  /** That of nothing. */
  static Spectrum empty() {
    return new Spectrum(0, new double[0], new double[0]);
  }

  /**
   * Finds it.
   *
   * @param matrix whose upper triangle, column by column, is destroyed
   * @param values how many eigenvalues, at most {@code size}
   * @param vectors how many eigenvectors, at most {@code values}
   * @param noise below which an eigenvalue means nothing
   * @throws ArithmeticException if values are so large that their squares are infinite
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

  /** How many of the first eigenvalues are not zero. */
  int rank(int among) {
    return (int) Arrays.stream(values).limit(among).filter(value -> value > 0).count();
  }

  /** The n-th eigenvalue, zero for those that there are not. */
  double value(int n) {
    return n < values.length ? values[n] : 0;
  }

  /** What part of the sum the n-th eigenvalue is; zero of nothing. */
  double ratio(int n) {
    return total > 0 ? value(n) / total : 0;
  }
}
