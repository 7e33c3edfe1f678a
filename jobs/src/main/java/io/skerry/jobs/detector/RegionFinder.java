package io.skerry.jobs.detector;

/**
 * Finds the brightest region of a frame: among the rectangles of one size, with about a tenth of
 * the frame's pixels and about the proportions of the frame, the rectangle with the largest sum of
 * intensities. Masked pixels count as 0. If several rectangles are equally bright, the first in
 * row-major order is chosen.
 */
public final class RegionFinder {
  private static final double SHARE = 0.1;

  private RegionFinder() {}

  /** Returns the brightest region of a frame. */
  public static Region find(PixelFrame frame) {
    int rows = Math.max(1, (int) Math.round(Math.sqrt(SHARE) * frame.rows()));
    double wanted = SHARE * frame.rows() * frame.columns() / rows;
    int columns = (int) Math.clamp(Math.round(wanted), 1L, (long) frame.columns());
    double[] columnSums = new double[frame.columns()];
    int bestRow = 0;
    int bestColumn = 0;
    double most = Double.NEGATIVE_INFINITY;
    for (int bottom = 0; bottom < frame.rows(); bottom++) {
      int top = bottom - rows + 1;
      move(frame, columnSums, bottom, top - 1);
      if (top < 0) {
        continue;
      }
      double sum = 0;
      for (int column = 0; column < columns; column++) {
        sum += columnSums[column];
      }
      for (int left = 0; ; left++) {
        if (sum > most) {
          most = sum;
          bestRow = top;
          bestColumn = left;
        }
        if (left + columns == columnSums.length) {
          break;
        }
        // A single update keeps the dependency chain at one addition per iteration.
        sum += columnSums[left + columns] - columnSums[left];
      }
    }
    return new Region(bestRow, bestColumn, rows, columns);
  }

  private static void move(PixelFrame frame, double[] columnSums, int in, int out) {
    float[] pixels = frame.intensities();
    int width = columnSums.length;
    int added = in * width;
    if (out < 0) {
      for (int column = 0; column < width; column++) {
        columnSums[column] += value(pixels[added + column]);
      }
      return;
    }
    int removed = out * width;
    for (int column = 0; column < width; column++) {
      columnSums[column] += value(pixels[added + column]) - value(pixels[removed + column]);
    }
  }

  private static double value(float pixel) {
    return Float.isNaN(pixel) ? 0 : pixel;
  }
}
