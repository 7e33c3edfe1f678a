package io.skerry.jobs.pca;

import java.util.Arrays;

/**
 * The result of a principal component analysis. Arrays are not copied.
 *
 * @param pixels the active pixels
 * @param spectrum the eigenvalues, identical on all ranks
 * @param components the elements of the components, grouped by active pixel; equal on all ranks
 *     within rounding errors
 * @param scores the coordinates of the frames of this rank along the components, grouped by frame
 * @param count the number of components
 * @param divisor the divisor that converts an eigenvalue to a variance
 */
@SuppressWarnings("ArrayRecordComponent")
record PcaResult(
    ActivePixels pixels,
    Spectrum spectrum,
    double[] components,
    double[] scores,
    int count,
    double divisor) {

  /** Returns the variances along the components. */
  double[] variances() {
    double[] variances = new double[count];
    for (int i = 0; i < count; i++) {
      variances[i] = spectrum.value(i) / divisor;
    }
    return variances;
  }

  /** Returns the shares of the total variance that the components explain, from 0 to 1. */
  double[] ratios() {
    double[] ratios = new double[count];
    for (int i = 0; i < count; i++) {
      ratios[i] = spectrum.ratio(i);
    }
    return ratios;
  }

  /** Returns a component as a frame, in row-major order. */
  double[] frame(int component, int framePixels) {
    double[] frame = new double[framePixels];
    for (int number = 0; number < pixels.size(); number++) {
      frame[pixels.pixel(number)] = components[number * count + component];
    }
    return frame;
  }

  /**
   * Returns the mean frame, in row-major order.
   *
   * @param base the value that was subtracted from all values
   * @param framePixels the number of pixels of a frame
   */
  double[] mean(double base, int framePixels) {
    double[] mean = new double[framePixels];
    Arrays.fill(mean, base);
    for (int number = 0; number < pixels.size(); number++) {
      mean[pixels.pixel(number)] += pixels.mean(number);
    }
    return mean;
  }
}
