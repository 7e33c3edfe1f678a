package io.skerry.jobs.pca;

/** Counts and sums the values of each pixel before the analysis. */
final class PixelSurvey {
  private final int[] counts;
  private final double[] sums;
  private double squares;
  private long values;
  private long firstBad = Long.MAX_VALUE;

  /**
   * Creates a survey without values.
   *
   * @param pixels the number of pixels of a frame
   */
  PixelSurvey(int pixels) {
    counts = new int[pixels];
    sums = new double[pixels];
  }

  /** Returns the size of a survey in memory, in bytes. */
  static long bytes(long pixels) {
    return 12 * pixels;
  }

  /** Adds the values of a batch. */
  void add(FrameBatch batch) {
    for (int frame = 0; frame < batch.frames(); frame++) {
      for (int i = batch.begin(frame); i < batch.end(frame); i++) {
        int pixel = batch.pixels()[i];
        double value = batch.values()[i];
        if (!Double.isFinite(value)) {
          long element = (long) (batch.first() + frame) * counts.length + pixel;
          firstBad = Math.min(firstBad, element);
        }
        counts[pixel]++;
        sums[pixel] += value;
        squares += value * value;
        values++;
      }
    }
  }

  /**
   * Returns, for each pixel, the number of frames in which it has a value. The result is the
   * internal array, which the caller may sum over the ranks in place.
   */
  int[] counts() {
    return counts;
  }

  /**
   * Returns, for each pixel, the sum of its values. The result is the internal array, which the
   * caller may sum over the ranks in place.
   */
  double[] sums() {
    return sums;
  }

  /** Returns the sum of the squares of all values of this rank. */
  double squares() {
    return squares;
  }

  /** Returns the number of values of this rank. */
  long values() {
    return values;
  }

  /**
   * Returns the linear index, in the stack, of the first infinite or NaN element among those of
   * this rank; {@link Long#MAX_VALUE} if all elements are finite.
   */
  long firstBad() {
    return firstBad;
  }
}
