package io.skerry.integration.concurrency;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.Filters;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.Arrays;

/** The datatype and storage of a shared dataset. */
enum SharedLayout {
  DENSE,
  FILTERED,
  SPARSE,
  SPARSE_FILTERED,
  CONTIGUOUS,
  COMPACT,
  TEXTS,
  SPARSE_TEXTS;

  /** The number of columns of every dataset; chunks are narrower. */
  static final int COLUMNS = 12;

  /** The largest number of rows of a dataset. */
  static final int MOST_ROWS = 40;

  private static final long[] CHUNK = {5, 5};
  private static final Datatype TEXT = VariableLength.string(CharacterSet.UTF8);

  DatasetSpec spec(int rows) {
    Shape fixed = Shape.of(rows, COLUMNS);
    Shape open = fixed.unlimited(0);
    return switch (this) {
      case DENSE -> DatasetSpec.of(Datatype.I32, open).chunked(CHUNK);
      case FILTERED ->
          DatasetSpec.of(Datatype.I32, open)
              .chunked(CHUNK)
              .filters(Filters.shuffle(), Filters.deflate(1));
      case SPARSE -> DatasetSpec.of(Datatype.I32, open).sparse(CHUNK);
      case SPARSE_FILTERED ->
          DatasetSpec.of(Datatype.I32, open)
              .sparse(CHUNK)
              .filters(Filters.shuffle(), Filters.deflate(1));
      case CONTIGUOUS -> DatasetSpec.of(Datatype.I32, fixed).contiguous();
      case COMPACT -> DatasetSpec.of(Datatype.I32, fixed).compact();
      case TEXTS -> DatasetSpec.of(TEXT, open).chunked(CHUNK);
      case SPARSE_TEXTS -> DatasetSpec.of(TEXT, open).sparse(CHUNK);
    };
  }

  /** Returns whether elements are strings; otherwise they are numbers. */
  boolean isText() {
    return this == TEXTS || this == SPARSE_TEXTS;
  }

  /** Returns whether elements may be undefined. */
  boolean isSparse() {
    return this == SPARSE || this == SPARSE_FILTERED || this == SPARSE_TEXTS;
  }

  /** Returns whether the number of rows may change. */
  boolean canChangeExtent() {
    return this != CONTIGUOUS && this != COMPACT;
  }

  /**
   * Writes numbers, converted to the datatype. The numbers must not be 0, because {@link #read}
   * returns 0 for an element that was never written.
   */
  void write(Dataset dataset, Selection selection, int[] numbers) {
    if (isText()) {
      String[] texts = Arrays.stream(numbers).mapToObj(SharedLayout::text).toArray(String[]::new);
      dataset.write(selection, texts);
    } else {
      dataset.write(selection, numbers);
    }
  }

  /** Reads numbers that {@link #write} wrote. */
  int[] read(Dataset dataset, Selection selection) {
    return isText()
        ? dataset.readStrings(selection).stream().mapToInt(SharedLayout::number).toArray()
        : dataset.readInts(selection);
  }

  /**
   * Returns a string whose length depends on the number, so that most overwrites change the size of
   * the content.
   */
  private static String text(int number) {
    return number + "-" + "x".repeat(number % 97);
  }

  private static int number(String text) {
    if (text.isEmpty()) {
      return 0;
    }
    int number = Integer.parseInt(text.substring(0, text.indexOf('-')));
    if (!text.equals(text(number))) {
      throw new AssertionError("not a text of ours: " + text);
    }
    return number;
  }
}
