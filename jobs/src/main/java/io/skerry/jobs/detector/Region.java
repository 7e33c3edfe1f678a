package io.skerry.jobs.detector;

/**
 * A rectangle of pixels.
 *
 * @param row the first row
 * @param column the first column
 * @param rows the number of rows
 * @param columns the number of columns
 */
public record Region(int row, int column, int rows, int columns) {

  /**
   * Returns the linear indices of the pixels in a frame, in ascending order.
   *
   * @param frameColumns the number of columns of the frame
   */
  public int[] pixels(int frameColumns) {
    int[] pixels = new int[rows * columns];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (row + i / columns) * frameColumns + column + i % columns;
    }
    return pixels;
  }
}
