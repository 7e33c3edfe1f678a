package io.skerry.jobs.pca;

import dev.ludovic.netlib.blas.BLAS;
import dev.ludovic.netlib.lapack.LAPACK;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.netlib.util.intW;

/**
 * Calls BLAS and LAPACK: the native libraries of the machine if they are installed, otherwise
 * implementations in Java. Matrices are stored column by column; only the upper triangle of a
 * symmetric matrix is used.
 */
final class LinearAlgebra {
  private final BLAS blas;
  private final LAPACK lapack;
  // A strong reference, because garbage collection of the logger would reset its level.
  private final Logger logger;

  LinearAlgebra(BLAS blas, LAPACK lapack, Logger logger) {
    this.blas = blas;
    this.lapack = lapack;
    this.logger = logger;
  }

  /** Loads the libraries without the log messages that netlib prints about them. */
  static LinearAlgebra load() {
    Logger logger = Logger.getLogger("dev.ludovic.netlib");
    logger.setLevel(Level.WARNING);
    return new LinearAlgebra(BLAS.getInstance(), LAPACK.getInstance(), logger);
  }

  /** Returns the names of the loaded implementation classes. */
  String names() {
    return blas.getClass().getName() + " " + lapack.getClass().getName();
  }

  /** Adds {@code a} times its transpose to {@code sum}; both matrices have {@code rows} rows. */
  void addProduct(double[] a, int rows, int columns, double[] sum) {
    blas.dsyrk("U", "N", rows, columns, 1, a, rows, 1, sum, rows);
  }

  /**
   * Finds all eigenvalues and eigenvectors of a symmetric matrix.
   *
   * @param matrix the matrix, in column-major order; overwritten with the eigenvectors, one per
   *     column
   * @param size the number of rows and of columns
   * @return the eigenvalues in ascending order, which is also the order of the columns
   * @throws ArithmeticException if the iteration does not converge
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
    return names() + " logging " + logger.getLevel();
  }
}
