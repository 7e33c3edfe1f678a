package io.skerry.peers;

import io.skerry.Dataset;
import io.skerry.selection.Selection;
import java.util.Arrays;

/**
 * Small reads with Skerry; each read creates a selection and a new array, as in a typical program.
 */
final class SkerryBoxes implements BoxReader {
  private final Dataset dataset;
  private final long rows;
  private final long columns;
  private int[] values = {};

  SkerryBoxes(Dataset dataset, Boxes boxes) {
    this.dataset = dataset;
    this.rows = boxes.rows();
    this.columns = boxes.columns();
  }

  @Override
  public void read(int row, int column) {
    values = dataset.readInts(Selection.at(row, column).extent(rows, columns));
  }

  @Override
  public long sum() {
    return Arrays.stream(values).asLongStream().sum();
  }
}
