package io.skerry.jobs.detector;

/**
 * Finds the {@link Candidates} of a frame in one pass. The background of a pixel is described by
 * the mean and the standard deviation of the unmasked pixels in a box of {@value #BOX} × {@value
 * #BOX} pixels around it, excluding the inner {@value #CORE} × {@value #CORE} pixels, so that a
 * spot does not raise its own threshold.
 *
 * <p>The sums over the rows of the box are kept per column and updated from row to row. Prefix sums
 * of these column sums along a row give the sum over any box as the difference between two values.
 * The number of operations per pixel does not depend on the size of the box; the inner box is
 * summed only at local maxima.
 */
final class PeakSearch {
  private static final int REACH = 8;
  private static final int INNER = 2;
  static final int BOX = 2 * REACH + 1;
  static final int CORE = 2 * INNER + 1;

  /**
   * The maximum contribution of a pixel to the sums; a brighter pixel contributes this value, so
   * that one hot pixel does not reduce the precision for all others.
   */
  private static final float CEILING = 1e7f;

  /**
   * The minimum excess of a pixel that extends a spot beyond its minimum size, in standard
   * deviations of the background.
   */
  private static final float FLOOR_SIGMAS = 3;

  /**
   * The minimum excess of a pixel that extends a spot beyond its minimum size, as a fraction of the
   * excess of the peak.
   */
  private static final float FLOOR_SHARE = 0.05f;

  private final int rows;
  private final int columns;
  private final float[] pixels;
  private final float minScore;
  private final Candidates found = new Candidates();

  private final double[] columnSums;
  private final double[] columnSquares;
  private final int[] columnCounts;
  private final double[] sums;
  private final double[] squares;
  private final int[] counts;

  private PeakSearch(PixelFrame frame, float minScore) {
    this.rows = frame.rows();
    this.columns = frame.columns();
    this.pixels = frame.intensities();
    this.minScore = minScore;
    columnSums = new double[columns];
    columnSquares = new double[columns];
    columnCounts = new int[columns];
    sums = new double[columns + 1];
    squares = new double[columns + 1];
    counts = new int[columns + 1];
  }

  /** Returns the local maxima with a score of at least {@code minScore} standard deviations. */
  static Candidates in(PixelFrame frame, float minScore) {
    PeakSearch search = new PeakSearch(frame, minScore);
    for (int row = 0; row < Math.min(REACH, search.rows); row++) {
      search.moveIn(row);
    }
    for (int row = 0; row < search.rows; row++) {
      if (row + REACH < search.rows) {
        search.moveIn(row + REACH);
      }
      if (row - REACH > 0) {
        search.moveOut(row - REACH - 1);
      }
      search.totalRow();
      search.searchRow(row);
    }
    return search.found;
  }

  private void moveIn(int row) {
    for (int column = 0, at = row * columns; column < columns; column++, at++) {
      float pixel = pixels[at];
      boolean counts = !Float.isNaN(pixel);
      double value = counts ? Math.min(pixel, CEILING) : 0;
      columnSums[column] += value;
      columnSquares[column] += value * value;
      columnCounts[column] += counts ? 1 : 0;
    }
  }

  private void moveOut(int row) {
    for (int column = 0, at = row * columns; column < columns; column++, at++) {
      float pixel = pixels[at];
      boolean counts = !Float.isNaN(pixel);
      double value = counts ? Math.min(pixel, CEILING) : 0;
      columnSums[column] -= value;
      columnSquares[column] -= value * value;
      columnCounts[column] -= counts ? 1 : 0;
    }
  }

  private void totalRow() {
    double sum = 0;
    double square = 0;
    int count = 0;
    for (int column = 0; column < columns; column++) {
      sums[column + 1] = sum += columnSums[column];
      squares[column + 1] = square += columnSquares[column];
      counts[column + 1] = count += columnCounts[column];
    }
  }

  private void searchRow(int row) {
    for (int column = 0, at = row * columns; column < columns; column++, at++) {
      float pixel = pixels[at];
      // A pixel that does not exceed its left neighbor is not a peak; this test excludes most
      // pixels.
      if (!Float.isNaN(pixel)
          && (column == 0 || !(pixels[at - 1] >= pixel))
          && isPeak(row, column)) {
        addIfPeakIsClear(row, column);
      }
    }
  }

  /**
   * Returns whether a pixel is a peak: no neighbor is higher, and no equally high neighbor precedes
   * the pixel in row-major order. The caller has already checked the left neighbor.
   */
  private boolean isPeak(int row, int column) {
    float pixel = pixels[row * columns + column];
    int right = Math.min(columns - 1, column + 1);
    for (int c = Math.max(0, column - 1); c <= right; c++) {
      if (row > 0 && pixels[(row - 1) * columns + c] >= pixel) {
        return false;
      }
      if (row + 1 < rows && pixels[(row + 1) * columns + c] > pixel) {
        return false;
      }
    }
    return !(pixels[row * columns + right] > pixel);
  }

  private void addIfPeakIsClear(int row, int column) {
    int left = Math.max(0, column - REACH);
    int right = Math.min(columns, column + REACH + 1);
    double sum = sums[right] - sums[left];
    double square = squares[right] - squares[left];
    int count = counts[right] - counts[left];
    double near = 0;
    int nearCount = 0;
    for (int r = Math.max(0, row - INNER); r <= Math.min(rows - 1, row + INNER); r++) {
      for (int c = Math.max(0, column - INNER); c <= Math.min(columns - 1, column + INNER); c++) {
        float pixel = pixels[r * columns + c];
        if (!Float.isNaN(pixel)) {
          double value = Math.min(pixel, CEILING);
          sum -= value;
          square -= value * value;
          count--;
          if (Math.abs(r - row) <= 1 && Math.abs(c - column) <= 1) {
            near += value;
            nearCount++;
          }
        }
      }
    }
    double mean = count > 0 ? sum / count : 0;
    double variance = count > 1 ? Math.max(0, square / count - mean * mean) : 0;
    float peak = Math.min(pixels[row * columns + column], CEILING);
    // On a constant background the score is large and finite, and proportional to the excess.
    double sigma = Math.sqrt(variance) + 1e-6 * Math.max(1e-6, Math.abs(mean));
    float score = (float) ((peak - mean) / sigma);
    if (score >= minScore) {
      float strength = (float) (near - nearCount * mean);
      double floor = mean + Math.max(FLOOR_SIGMAS * sigma, FLOOR_SHARE * (peak - mean));
      found.add(row * columns + column, score, strength, (float) floor);
    }
  }
}
