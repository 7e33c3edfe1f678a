package io.skerry.integration.crash;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The expected content of a file: groups, datasets, soft links and attributes by path. */
final class CrashModel {
  private final TreeMap<String, Numbers> datasets = new TreeMap<>();
  private final TreeMap<String, String> links = new TreeMap<>();
  private final Map<String, TreeMap<String, String>> attributes = new TreeMap<>();

  /** The elements of a dataset in row-major order, 0 where nothing was written. */
  static final class Numbers {
    private int[] values;
    private BitSet written = new BitSet();

    Numbers(int rows) {
      values = new int[rows * StorageKind.COLUMNS];
    }

    private Numbers(Numbers other) {
      values = other.values.clone();
      written = (BitSet) other.written.clone();
    }

    int rows() {
      return values.length / StorageKind.COLUMNS;
    }

    /** Returns an element, or 0 if it is outside the extent. */
    int value(int element) {
      return element < values.length ? values[element] : 0;
    }

    void set(int row, int column, int value) {
      values[row * StorageKind.COLUMNS + column] = value;
      written.set(row * StorageKind.COLUMNS + column);
    }

    void erase(int row, int column) {
      values[row * StorageKind.COLUMNS + column] = 0;
      written.clear(row * StorageKind.COLUMNS + column);
    }

    void reshape(int rows) {
      values = Arrays.copyOf(values, rows * StorageKind.COLUMNS);
      written.clear(values.length, Math.max(values.length, written.length()));
    }
  }

  CrashModel() {
    attributes.put("/", new TreeMap<>());
  }

  CrashModel copy() {
    CrashModel copy = new CrashModel();
    datasets.forEach((path, numbers) -> copy.datasets.put(path, new Numbers(numbers)));
    copy.links.putAll(links);
    attributes.forEach((path, own) -> copy.attributes.put(path, new TreeMap<>(own)));
    return copy;
  }

  /** Returns the paths of all groups, including the root, and of all datasets. */
  List<String> objects() {
    return List.copyOf(attributes.keySet());
  }

  List<String> groups() {
    return attributes.keySet().stream().filter(path -> !datasets.containsKey(path)).toList();
  }

  Map<String, Numbers> datasets() {
    return datasets;
  }

  Map<String, String> links() {
    return links;
  }

  Map<String, String> attributes(String path) {
    return attributes.get(path);
  }

  void addGroup(String path) {
    attributes.put(path, new TreeMap<>());
  }

  void addDataset(String path, int rows) {
    datasets.put(path, new Numbers(rows));
    attributes.put(path, new TreeMap<>());
  }

  void remove(String path) {
    datasets.remove(path);
    links.remove(path);
    attributes.remove(path);
  }

  void move(String from, String to) {
    if (links.containsKey(from)) {
      links.put(to, links.remove(from));
    } else {
      datasets.put(to, datasets.remove(from));
      attributes.put(to, attributes.remove(from));
    }
  }

  /**
   * Returns the whole content as text.
   *
   * @param loose kinds of datasets whose values are omitted
   */
  String text(Set<StorageKind> loose) {
    ContentText rendering = new ContentText();
    links.forEach(rendering::link);
    attributes.forEach((path, own) -> {
      if (datasets.containsKey(path)) {
        StorageKind kind = StorageKind.of(path);
        Numbers numbers = datasets.get(path);
        int[] values = loose.contains(kind) ? new int[0] : numbers.values;
        String defined = kind.isSparse() ? numbers.written.toString() : "";
        rendering.dataset(path, numbers.rows(), values, defined, own);
      } else {
        rendering.group(path, own);
      }
    });
    return rendering.text();
  }

  /** Returns the content as text for a program without support for sparse datasets. */
  String denseText(Set<StorageKind> loose) {
    ContentText rendering = new ContentText();
    links.forEach(rendering::link);
    attributes.forEach((path, own) -> {
      if (!datasets.containsKey(path)) {
        rendering.group(path, own);
      } else if (StorageKind.of(path).isSparse()) {
        rendering.unreadable(path);
      } else {
        Numbers numbers = datasets.get(path);
        int[] values = loose.contains(StorageKind.of(path)) ? new int[0] : numbers.values;
        rendering.dataset(path, numbers.rows(), values, "", own);
      }
    });
    return rendering.text();
  }
}
