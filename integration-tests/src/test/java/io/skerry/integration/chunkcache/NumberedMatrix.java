package io.skerry.integration.chunkcache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * A matrix of numbers in chunks; each element holds its place in the matrix, counted in rows, plus
 * one.
 *
 * @param chunkRows rows of a chunk
 * @param chunkColumns columns of a chunk
 * @param down chunks below each other
 * @param across chunks beside each other
 */
record NumberedMatrix(int chunkRows, int chunkColumns, int down, int across) {
  /** How chunks are stored. */
  enum Layout {
    FILTERED,
    UNFILTERED,
    SPARSE
  }

  /** How a program goes through the rows. */
  enum Way {
    /** A whole row at a time. */
    ROWS,
    /** Element by element; every {@value #STEP}th, which takes less time and the same chunks. */
    ELEMENTS
  }

  private static final int STEP = 8;

  int rows() {
    return chunkRows * down;
  }

  int columns() {
    return chunkColumns * across;
  }

  int chunks() {
    return down * across;
  }

  long chunkBytes() {
    return 8L * chunkRows * chunkColumns;
  }

  /** The matrix in full size. */
  DatasetSpec spec(Layout layout) {
    return spec(layout, Shape.of(rows(), columns()));
  }

  /** The matrix without rows, to which they are added. */
  DatasetSpec growing(Layout layout) {
    return spec(layout, Shape.of(0, columns()).unlimited(0));
  }

  private DatasetSpec spec(Layout layout, Shape shape) {
    DatasetSpec spec = DatasetSpec.of(Datatype.I64, shape);
    return switch (layout) {
      case FILTERED -> spec.chunked(chunkRows, chunkColumns).filters(IdentityFilter.spec());
      case UNFILTERED -> spec.chunked(chunkRows, chunkColumns);
      case SPARSE -> spec.sparse(chunkRows, chunkColumns);
    };
  }

  private long value(int row, int column) {
    return (long) row * columns() + column + 1;
  }

  private long[] values(int row) {
    long[] values = new long[columns()];
    for (int column = 0; column < values.length; column++) {
      values[column] = value(row, column);
    }
    return values;
  }

  /** What the chunks begin with, when all is written. */
  List<Long> firstValues() {
    List<Long> first = new ArrayList<>();
    for (int row = 0; row < rows(); row += chunkRows) {
      for (int column = 0; column < columns(); column += chunkColumns) {
        first.add(value(row, column));
      }
    }
    return first;
  }

  void write(Dataset dataset, Way way) {
    for (int row = 0; row < rows(); row++) {
      writeRow(dataset, row, way);
    }
  }

  void writeRow(Dataset dataset, int row, Way way) {
    switch (way) {
      case ROWS -> dataset.write(Selection.at(row, 0).extent(1, columns()), values(row));
      case ELEMENTS -> {
        for (int column = 0; column < columns(); column += STEP) {
          long[] one = {value(row, column)};
          dataset.write(Selection.at(row, column).extent(1, 1), one);
        }
      }
    }
  }

  void read(Dataset dataset, Way way) {
    for (int row = 0; row < rows(); row++) {
      readRow(dataset, row, way);
    }
  }

  void readRow(Dataset dataset, int row, Way way) {
    switch (way) {
      case ROWS ->
          assertArrayEquals(
              values(row), dataset.readLongs(Selection.at(row, 0).extent(1, columns())));
      case ELEMENTS -> {
        for (int column = 0; column < columns(); column += STEP) {
          long[] expected = {value(row, column)};
          assertArrayEquals(expected, dataset.readLongs(Selection.at(row, column).extent(1, 1)));
        }
      }
    }
  }
}
