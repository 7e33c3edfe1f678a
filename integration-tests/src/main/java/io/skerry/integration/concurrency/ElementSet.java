package io.skerry.integration.concurrency;

import io.skerry.selection.Selection;
import java.util.Arrays;
import java.util.Random;

/**
 * The elements of a selection, with their positions in the row-major order of the dataset. The
 * positions are in selection order.
 */
record ElementSet(Selection selection, int[] positions) {
  static final ElementSet NONE = new ElementSet(Selection.none(), new int[0]);

  /**
   * Returns a random box, every second row or column of a box, or points.
   *
   * @param rows the number of rows of the dataset; if it is 0, the set is empty
   */
  static ElementSet draw(Random random, int rows) {
    if (rows == 0) {
      return NONE;
    }
    int top = random.nextInt(rows);
    int left = random.nextInt(SharedLayout.COLUMNS);
    int height = 1 + random.nextInt(rows - top);
    int width = 1 + random.nextInt(SharedLayout.COLUMNS - left);
    return switch (random.nextInt(4)) {
      case 0 -> pattern(top, left, height, width, 2, 1);
      case 1 -> pattern(top, left, height, width, 1, 2);
      case 2 -> points(random, rows);
      default -> pattern(top, left, height, width, 1, 1);
    };
  }

  /** Returns all elements of the first {@code rows} rows. */
  static ElementSet rows(int rows) {
    return rows == 0 ? NONE : pattern(0, 0, rows, SharedLayout.COLUMNS, 1, 1);
  }

  private static ElementSet pattern(
      int top, int left, int height, int width, int rowStep, int columnStep) {
    int down = Math.ceilDiv(height, rowStep);
    int across = Math.ceilDiv(width, columnStep);
    int[] positions = new int[down * across];
    for (int i = 0; i < positions.length; i++) {
      int row = top + i / across * rowStep;
      positions[i] = row * SharedLayout.COLUMNS + left + i % across * columnStep;
    }
    Selection selection = Selection.at(top, left).stride(rowStep, columnStep).count(down, across);
    return new ElementSet(selection, positions);
  }

  private static ElementSet points(Random random, int rows) {
    int[] positions =
        random.ints(1 + random.nextInt(12), 0, rows * SharedLayout.COLUMNS).distinct().toArray();
    long[][] points =
        Arrays.stream(positions)
            .mapToObj(at -> new long[] {at / SharedLayout.COLUMNS, at % SharedLayout.COLUMNS})
            .toArray(long[][]::new);
    return new ElementSet(Selection.points(points), positions);
  }

  @Override
  public String toString() {
    return selection.toString();
  }

  /** Selects the values of these elements from the values of all elements of the dataset. */
  int[] of(int[] all) {
    return Arrays.stream(positions).map(at -> all[at]).toArray();
  }
}
