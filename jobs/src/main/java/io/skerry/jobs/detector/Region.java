package io.skerry.jobs.detector;

/** A rectangle of pixels: its first row and column, and how many there are of each. */
public record Region(int row, int column, int rows, int columns) {

  /** Its pixels as linear indices, ascending, in a frame of {@code frameColumns} columns. */
  public int[] pixels(int frameColumns) {
    int[] pixels = new int[rows * columns];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (row + i / columns) * frameColumns + column + i % columns;
    }
    return pixels;
  }
}
