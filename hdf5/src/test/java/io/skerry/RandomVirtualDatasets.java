package io.skerry;

import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;

/**
 * Creates a file of random virtual datasets, whose sources are in several files, and the arrays
 * that reads of the datasets must return. The datasets of one file have strings, or integers of
 * several sizes. Some sources do not exist.
 */
final class RandomVirtualDatasets {
  private static final Datatype TEXT = VariableLength.string(CharacterSet.UTF8);
  private static final int SOURCES = 4;

  /** The number of layouts of a file, without the optional growing one. */
  static final int DATASETS = 4;

  /** The fill value of each dataset of integers, as bytes of any size and as text. */
  private static final byte FILL_BYTE = -1;

  private static final String FILL = "-1";

  private final Random random;
  private final Path folder;
  private final RandomSelections selections;
  private final boolean texts;
  private final List<Source> sources = new ArrayList<>();
  private final Map<String, ModeledArray> datasets = new LinkedHashMap<>();
  private int written;

  /**
   * A source.
   *
   * @param file the name of its file, in the folder of the virtual datasets
   * @param array its elements
   * @param exists false if the dataset is not in the file, or if there is no file
   */
  private record Source(String file, String path, ModeledArray array, boolean exists) {}

  /**
   * Creates the files.
   *
   * @param folder an empty folder
   */
  RandomVirtualDatasets(Random random, Path folder) {
    this.random = random;
    this.folder = folder;
    this.selections = new RandomSelections(random);
    this.texts = random.nextInt(4) == 0;
    for (int number = 0; number < SOURCES; number++) {
      sources.add(source("source" + number + ".h5"));
    }
    try (H5File file = H5File.create(path())) {
      for (int number = 0; number < DATASETS; number++) {
        create(file, "virtual" + number);
      }
      grow(file);
    }
  }

  Path path() {
    return folder.resolve("virtual.h5");
  }

  boolean areTexts() {
    return texts;
  }

  /** Returns the expected elements of each dataset, by its name. */
  Map<String, ModeledArray> datasets() {
    return datasets;
  }

  private Shape shape() {
    return Shape.of(LongStream.generate(() -> 1 + random.nextLong(6)).limit(rank()).toArray());
  }

  private int rank() {
    return 1 + random.nextInt(3);
  }

  private ModeledArray array(Shape shape) {
    return new ModeledArray(shape, texts ? "" : FILL);
  }

  private DatasetSpec spec(Datatype type, Shape shape) {
    DatasetSpec spec = DatasetSpec.of(type, shape);
    if (texts) {
      return spec;
    }
    byte[] fill = new byte[type.size()];
    Arrays.fill(fill, FILL_BYTE);
    return spec.fillValue(fill);
  }

  private Datatype type() {
    return texts ? TEXT : List.of(Datatype.I16, Datatype.I32, Datatype.I64).get(random.nextInt(3));
  }

  private Source source(String name) {
    Shape shape = shape();
    ModeledArray array = array(shape);
    int lacking = random.nextInt(10);
    if (lacking == 0) {
      return new Source(name, "/d", array, false);
    }
    long[] chunk = LongStream.of(shape.extent()).map(size -> 1 + random.nextLong(size)).toArray();
    try (H5File file = H5File.create(folder.resolve(name))) {
      DatasetSpec spec = spec(type(), shape);
      boolean sparse = random.nextInt(3) > 0;
      Dataset dataset =
          file.createDataset(
              "d", sparse ? spec.sparse(chunk) : random.nextBoolean() ? spec.chunked(chunk) : spec);
      if (!sparse) {
        write(dataset, array, Selection.all());
      }
      for (int i = random.nextInt(4); i > 0; i--) {
        write(dataset, array, selections.set(shape));
      }
    }
    return lacking == 1
        ? new Source(name, "/other", array, false)
        : new Source(name, "/d", array, true);
  }

  private void write(Dataset dataset, ModeledArray array, Selection selection) {
    List<String> values =
        LongStream.range(0, selection.count(array.shape()))
            .mapToObj(_ -> (texts ? "é" : "") + ++written)
            .toList();
    array.write(selection, values);
    if (texts) {
      dataset.write(selection, values.toArray(String[]::new));
    } else {
      dataset.write(selection, values.stream().mapToInt(Integer::parseInt).toArray());
    }
  }

  /** Creates a virtual dataset, which may be a source of the following ones. */
  private void create(H5File file, String name) {
    ModeledArray array = array(shape());
    VirtualLayout.Builder layout = VirtualLayout.builder();
    for (int i = random.nextInt(6); i > 0; i--) {
      Source source = sources.get(random.nextInt(sources.size()));
      Selection virtual = selections.set(array.shape());
      Selection from = selections.set(source.array.shape());
      long count = Math.min(virtual.count(array.shape()), from.count(source.array.shape()));
      Selection first = RandomSelections.first(virtual, array.shape(), count);
      Selection fromFirst = RandomSelections.first(from, source.array.shape(), count);
      layout.map(first, VirtualSource.of(source.file, source.path).select(fromFirst));
      if (source.exists) {
        array.map(first, source.array, fromFirst);
      }
    }
    Dataset unused =
        file.createDataset(
            name, spec(texts ? TEXT : Datatype.I32, array.shape()).virtual(layout.build()));
    datasets.put(name, array);
    sources.add(new Source(VirtualSource.SAME_FILE, "/" + name, array, true));
  }

  /**
   * Creates a virtual dataset of unlimited extent: rows of the first two existing sources of rank
   * 2, each in its own columns.
   */
  private void grow(H5File file) {
    List<Source> flat =
        sources.stream()
            .filter(source -> source.exists && source.array.shape().rank() == 2)
            .filter(source -> !source.file.equals(VirtualSource.SAME_FILE))
            .limit(2)
            .toList();
    if (flat.isEmpty()) {
      return;
    }
    long rows = 0;
    long columns = 0;
    for (Source source : flat) {
      rows = Math.max(rows, source.array.shape().extent(0));
      columns += source.array.shape().extent(1);
    }
    ModeledArray array = array(Shape.of(rows + 1, columns));
    VirtualLayout.Builder layout = VirtualLayout.builder();
    long column = 0;
    long below = random.nextInt(2);
    for (Source source : flat) {
      long width = source.array.shape().extent(1);
      long high = source.array.shape().extent(0);
      layout.map(
          Selection.at(below, column).extent(Shape.UNLIMITED, width),
          VirtualSource.of(source.file, source.path)
              .select(Selection.at(0, 0).extent(Shape.UNLIMITED, width)));
      array.map(Selection.at(below, column).extent(high, width), source.array, Selection.all());
      column += width;
    }
    ModeledArray visible = array(Shape.of(rows + below, columns).unlimited(0));
    visible.map(Selection.all(), array, Selection.at(0, 0).extent(rows + below, columns));
    Dataset unused =
        file.createDataset(
            "growing",
            spec(texts ? TEXT : Datatype.I32, Shape.of(0, columns).unlimited(0))
                .virtual(layout.build()));
    datasets.put("growing", visible);
  }
}
