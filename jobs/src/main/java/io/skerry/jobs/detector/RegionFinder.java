package io.skerry.jobs.detector;

/**
 * Finds the rectangle of about a tenth of a frame, in the frame's proportions, that holds the most
 * intensity. Masked pixels count as 0. Of equally bright ones it is the first in row-major order.
 */
public final class RegionFinder {
  private static final double SHARE = 0.1;

  private RegionFinder() {}

  /** The brightest region of {@code frame}. */
  public static Region find(PixelFrame frame) {
    int rows = Math.max(1, (int) Math.round(Math.sqrt(SHARE) * frame.rows()));
    double wanted = SHARE * frame.rows() * frame.columns() / rows;
    int columns = (int) Math.clamp(Math.round(wanted), 1L, (long) frame.columns());
    double[] columnSums = new double[frame.columns()];
    Region best = new Region(0, 0, rows, columns);
    double most = Double.NEGATIVE_INFINITY;
    for (int bottom = 0; bottom < frame.rows(); bottom++) {
      int top = bottom - rows + 1;
      move(frame, columnSums, bottom, top - 1);
      if (top < 0) {
        continue;
      }
      double sum = 0;
      for (int right = 0; right < columnSums.length; right++) {
        sum += columnSums[right];
        if (right >= columns) {
          sum -= columnSums[right - columns];
        }
        if (right >= columns - 1 && sum > most) {
          most = sum;
          best = new Region(top, right - columns + 1, rows, columns);
        }
      }
    }
    return best;
  }

  private static void move(PixelFrame frame, double[] columnSums, int in, int out) {
    float[] pixels = frame.intensities();
    int width = columnSums.length;
    for (int column = 0; column < width; column++) {
      columnSums[column] += value(pixels[in * width + column]);
    }
    for (int column = 0; column < width && out >= 0; column++) {
      columnSums[column] -= value(pixels[out * width + column]);
    }
  }

  private static double value(float pixel) {
    return Float.isNaN(pixel) ? 0 : pixel;
  }
}
