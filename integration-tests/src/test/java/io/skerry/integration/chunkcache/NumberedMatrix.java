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
 * A chunked matrix in which each element holds its row-major index plus one.
 *
 * @param chunkRows number of rows per chunk
 * @param chunkColumns number of columns per chunk
 * @param down number of chunks per column
 * @param across number of chunks per row
 */
record NumberedMatrix(int chunkRows, int chunkColumns, int down, int across) {
  /** The storage of the chunks. */
  enum Layout {
    FILTERED,
    UNFILTERED,
    SPARSE
  }

  /** The access pattern of a program, row after row. */
  enum Way {
    /** One call per row. */
    ROWS,
    /** One call per element, for every {@value #STEP}th element: the same chunks in less time. */
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

  /** Returns the specification of the matrix with its full extent. */
  DatasetSpec spec(Layout layout) {
    return spec(layout, Shape.of(rows(), columns()));
  }

  /** Returns the specification of the matrix with 0 rows and an unlimited number of rows. */
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

  /** Returns the first value of each chunk of the complete matrix. */
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
