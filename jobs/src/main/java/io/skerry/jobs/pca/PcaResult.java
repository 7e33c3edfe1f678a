package io.skerry.jobs.pca;

import java.util.Arrays;

/**
 * What was found. Arrays are not copied.
 *
 * @param spectrum the eigenvalues, the same on all ranks
 * @param components of each active pixel its element in every component, the same on all ranks but
 *     for rounding
 * @param scores of each frame of this rank its coordinate along every component
 * @param count how many components
 * @param divisor what turns an eigenvalue into a variance
 */
@SuppressWarnings("ArrayRecordComponent")
record PcaResult(
    ActivePixels pixels,
    Spectrum spectrum,
    double[] components,
    double[] scores,
    int count,
    double divisor) {

  /** Variances along the components. */
  double[] variances() {
    double[] variances = new double[count];
    for (int i = 0; i < count; i++) {
      variances[i] = spectrum.value(i) / divisor;
    }
    return variances;
  }

  /** What parts of the whole variance these are. */
  double[] ratios() {
    double[] ratios = new double[count];
    for (int i = 0; i < count; i++) {
      ratios[i] = spectrum.ratio(i);
    }
    return ratios;
  }

  /** A component as a frame. */
  double[] frame(int component, int framePixels) {
    double[] frame = new double[framePixels];
    for (int number = 0; number < pixels.size(); number++) {
      frame[pixels.pixel(number)] = components[number * count + component];
    }
    return frame;
  }

  /** The mean frame. */
  double[] mean(double base, int framePixels) {
    double[] mean = new double[framePixels];
    Arrays.fill(mean, base);
    for (int number = 0; number < pixels.size(); number++) {
      mean[pixels.pixel(number)] += pixels.mean(number);
    }
    return mean;
  }
}
