package io.skerry.integration.crash;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.Filters;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.Arrays;

/** The storage of a dataset. The name of a dataset begins with the name of its kind. */
enum StorageKind {
  DENSE,
  FILTERED,
  TREE,
  CONTIGUOUS,
  COMPACT,
  TEXTS,
  SPARSE,
  SPARSEFILTERED,
  SPARSETREE,
  SPARSETEXTS;

  /** Number of columns of every dataset. */
  static final int COLUMNS = 6;

  private static final Datatype TEXT = VariableLength.string(CharacterSet.UTF8);

  static StorageKind of(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return valueOf(name.substring(0, name.indexOf('-')));
  }

  DatasetSpec spec(int rows) {
    Shape fixed = Shape.of(rows, COLUMNS);
    Shape open = fixed.unlimited(0);
    DatasetSpec numbers = DatasetSpec.of(Datatype.I32, open);
    return switch (this) {
      case DENSE -> numbers.chunked(4, 4);
      case FILTERED -> numbers.chunked(5, 4).filters(Filters.shuffle(), Filters.deflate(1));
      case TREE -> DatasetSpec.of(Datatype.I32, open.unlimited(1)).chunked(2, 3);
      case CONTIGUOUS -> DatasetSpec.of(Datatype.I32, fixed).contiguous();
      case COMPACT -> DatasetSpec.of(Datatype.I32, fixed).compact();
      case TEXTS -> DatasetSpec.of(TEXT, open).chunked(3, 4);
      case SPARSE -> numbers.sparse(3, 4);
      case SPARSEFILTERED -> numbers.sparse(4, 4).filters(Filters.shuffle(), Filters.deflate(1));
      case SPARSETREE -> DatasetSpec.of(Datatype.I32, open.unlimited(1)).sparse(3, 3);
      case SPARSETEXTS -> DatasetSpec.of(TEXT, open).sparse(4, 3).filters(Filters.deflate(1));
    };
  }

  boolean isSparse() {
    return name().startsWith("SPARSE");
  }

  boolean isText() {
    return name().endsWith("TEXTS");
  }

  boolean canReshape() {
    return this != CONTIGUOUS && this != COMPACT;
  }

  void write(Dataset dataset, Selection where, int[] numbers) {
    if (isText()) {
      dataset.write(
          where, Arrays.stream(numbers).mapToObj(StorageKind::text).toArray(String[]::new));
    } else {
      dataset.write(where, numbers);
    }
  }

  int[] read(Dataset dataset) {
    return isText()
        ? dataset.readStrings(Selection.all()).stream().mapToInt(StorageKind::number).toArray()
        : dataset.readInts(Selection.all());
  }

  /** Returns a text whose length depends on the number, so that overwriting it moves content. */
  private static String text(int number) {
    return number + "x".repeat(number % 41);
  }

  private static int number(String text) {
    if (text.isEmpty()) {
      return 0;
    }
    int end = text.indexOf('x') < 0 ? text.length() : text.indexOf('x');
    int number = Integer.parseInt(text.substring(0, end));
    return text.equals(text(number)) ? number : -1;
  }
}
