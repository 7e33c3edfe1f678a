package io.skerry.jobs.pca;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GramMatrixTest {
  private static final LinearAlgebra ALGEBRA = LinearAlgebra.load();

  private static double[] sum(double[][] vectors, int size) {
    double[] upper = new double[size * size];
    for (double[] vector : vectors) {
      for (int column = 0; column < size; column++) {
        for (int row = 0; row <= column; row++) {
          upper[column * size + row] += vector[row] * vector[column];
        }
      }
    }
    return upper;
  }

  private static GramMatrix packed(double[][] vectors, int size) {
    GramMatrix matrix = new GramMatrix(size, ALGEBRA);
    SparseVector sparse = new SparseVector(size);
    for (double[] vector : vectors) {
      sparse.clear();
      // In reverse order, because any order is allowed.
      for (int i = size - 1; i >= 0; i--) {
        if (vector[i] != 0) {
          sparse.put(i, vector[i]);
        }
      }
      matrix.add(sparse);
    }
    return matrix;
  }

  private static double[][] random(int count, int size, double density) {
    Random random = new Random(count * 31L + size);
    double[][] vectors = new double[count][size];
    for (double[] vector : vectors) {
      for (int i = 0; i < size; i++) {
        vector[i] = random.nextDouble() < density ? random.nextGaussian() : 0;
      }
    }
    return vectors;
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.003, 0.03, 0.2, 0.6, 1})
  void vectors_of_any_density_give_the_sum_of_their_products(double density) {
    for (int size : new int[] {1, 2, 7, 60, 301}) {
      double[][] vectors = random(300, size, density);
      assertArrayEquals(sum(vectors, size), packed(vectors, size).upper(), 1e-10);
    }
  }

  @Test
  void sparse_vectors_mixed_with_dense_ones_are_summed() {
    double[][] vectors = random(400, 90, 0.01);
    double[][] dense = random(40, 90, 1);
    for (int i = 0; i < dense.length; i++) {
      vectors[i * 10] = dense[i];
    }
    assertArrayEquals(sum(vectors, 90), packed(vectors, 90).upper(), 1e-10);
  }

  @Test
  void centering_the_matrix_equals_centering_the_vectors() {
    int size = 20;
    double[][] vectors = random(50, size, 0.4);
    GramMatrix matrix = packed(vectors, size);
    matrix.centerElements();
    for (double[] vector : vectors) {
      double mean = Arrays.stream(vector).sum() / size;
      Arrays.setAll(vector, i -> vector[i] - mean);
    }
    assertArrayEquals(sum(vectors, size), matrix.upper(), 1e-11);
  }

  @Test
  void the_spectrum_of_a_diagonal_matrix_is_its_sorted_diagonal() {
    double[] matrix = {2, 0, 0, 0, 5, 0, 0, 0, 1e-20};
    Spectrum spectrum = Spectrum.of(matrix, 3, 3, 2, 0, ALGEBRA);
    assertArrayEquals(new double[] {5, 2, 0}, spectrum.values(), 1e-15);
    assertEquals(2, spectrum.rank(3));
    assertEquals(1, spectrum.rank(1));
    assertEquals(5.0 / 7, spectrum.ratio(0), 1e-15);
    assertEquals(0, spectrum.ratio(3));
    assertEquals(1, Math.abs(spectrum.vectors()[1]), 1e-15);
    assertEquals(1, Math.abs(spectrum.vectors()[3]), 1e-15);
  }
}
