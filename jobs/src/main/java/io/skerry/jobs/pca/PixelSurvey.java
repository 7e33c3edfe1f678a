package io.skerry.jobs.pca;

/** What is to know of the pixels before the work begins: how often each has a value, and sums. */
final class PixelSurvey {
  private final int[] counts;
  private final double[] sums;
  private double squares;
  private long values;
  private long firstBad = Long.MAX_VALUE;

  /**
   * @param pixels of a frame
   */
  PixelSurvey(int pixels) {
    counts = new int[pixels];
    sums = new double[pixels];
  }

  /** Memory that it takes. */
  static long bytes(long pixels) {
    return 12 * pixels;
  }

  /** Counts frames in. */
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

  /** For each pixel in how many frames it has a value; to be summed over the ranks in place. */
  int[] counts() {
    return counts;
  }

  /** For each pixel the sum of its values; to be summed over the ranks in place. */
  double[] sums() {
    return sums;
  }

  /** Sum of the squares of all values of this rank. */
  double squares() {
    return squares;
  }

  /** Number of values of this rank. */
  long values() {
    return values;
  }

  /**
   * The first element of this rank, row-major in the stack, that is infinite or no number; {@link
   * Long#MAX_VALUE} if all are finite.
   */
  long firstBad() {
    return firstBad;
  }
}
