package io.skerry.jobs.pca;

import dev.ludovic.netlib.blas.BLAS;
import dev.ludovic.netlib.lapack.LAPACK;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.netlib.util.intW;

/**
 * BLAS and LAPACK: the machine's own if it has them, else those in Java. Matrices are column by
 * column; of symmetric ones only the upper triangle is looked at.
 */
final class LinearAlgebra {
  private final BLAS blas;
  private final LAPACK lapack;
  // Whoever drops a logger drops its level.
  private final Logger quiet;

  private LinearAlgebra(Logger quiet) {
    this.quiet = quiet;
    quiet.setLevel(Level.WARNING);
    blas = BLAS.getInstance();
    lapack = LAPACK.getInstance();
  }

  /** Loads what there is, without the library's announcements of it on standard error. */
  static LinearAlgebra load() {
    return new LinearAlgebra(Logger.getLogger("dev.ludovic.netlib"));
  }

  /** The classes that were loaded. */
  String names() {
    return blas.getClass().getName() + " " + lapack.getClass().getName();
  }

  /** Adds {@code a} times its transpose to {@code sum}, of {@code rows} rows each. */
  void addProduct(double[] a, int rows, int columns, double[] sum) {
    blas.dsyrk("U", "N", rows, columns, 1, a, rows, 1, sum, rows);
  }

  /**
   * Finds all eigenvalues and eigenvectors of a symmetric matrix.
   *
   * @param matrix the matrix; afterwards its columns are the eigenvectors
   * @return the eigenvalues, ascending as the columns
   * @throws ArithmeticException if the iteration does not end
   */
  double[] eigen(double[] matrix, int size) {
    double[] values = new double[size];
    intW info = new intW(0);
    double[] wanted = new double[1];
    lapack.dsyev("V", "U", size, matrix, size, values, wanted, -1, info);
    double[] work = new double[(int) wanted[0]];
    lapack.dsyev("V", "U", size, matrix, size, values, work, work.length, info);
    if (info.val != 0) {
      throw new ArithmeticException(
          "no eigenvalues found: matrix=" + size + "x" + size + " dsyev=" + info.val);
    }
    return values;
  }

  @Override
  public String toString() {
    return names() + " logging " + quiet.getLevel();
  }
}
