package io.skerry.integration.lifecycle;

import io.skerry.DatasetSpec.Storage;
import io.skerry.datatype.Datatype;
import io.skerry.integration.random.PickedElements;
import io.skerry.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The expected content of a dataset: a map from coordinates to written values. */
final class DatasetModel {
  private final String path;
  private final Datatype type;
  private final long[] maximum;
  private final Map<List<Long>, Value> cells = new LinkedHashMap<>();
  private Storage storage;
  private long[] chunk;
  private FillContent fill;
  private long[] extent;

  /**
   * Creates the model of a dataset without written elements.
   *
   * @param maximum the maximum extent, {@link io.skerry.selection.Shape#UNLIMITED} in a dimension
   *     without a limit
   */
  DatasetModel(
      String path,
      Datatype type,
      Storage storage,
      long[] extent,
      long[] maximum,
      long[] chunk,
      FillContent fill) {
    this.path = path;
    this.type = type;
    this.storage = storage;
    this.extent = extent.clone();
    this.maximum = maximum.clone();
    this.chunk = chunk.clone();
    this.fill = fill;
  }

  /**
   * Returns the model of a copy of the dataset. The function {@code paths} determines the targets
   * of references in the copy, as in {@link ValueParts#moved}.
   */
  DatasetModel copy(String to, Function<String, Optional<String>> paths) {
    DatasetModel copy = new DatasetModel(to, type, storage, extent, maximum, chunk, fill);
    cells.forEach((at, value) -> copy.cells.put(at, ValueParts.moved(value, paths)));
    return copy;
  }

  String path() {
    return path;
  }

  Datatype type() {
    return type;
  }

  Storage storage() {
    return storage;
  }

  boolean isSparse() {
    return storage == Storage.SPARSE;
  }

  FillContent fill() {
    return fill;
  }

  long[] extent() {
    return extent.clone();
  }

  long[] maximum() {
    return maximum.clone();
  }

  long[] chunk() {
    return chunk.clone();
  }

  /** Returns the written values that still exist. */
  Map<List<Long>, Value> cells() {
    return cells;
  }

  /** Returns the coordinates of the selected elements, in the order of the selection. */
  List<List<Long>> coordinates(PickedElements pick) {
    List<List<Long>> all = new ArrayList<>();
    for (long element : pick.elements()) {
      all.add(coordinates(element));
    }
    return all;
  }

  private List<Long> coordinates(long element) {
    Long[] at = new Long[extent.length];
    long left = element;
    for (int d = extent.length - 1; d >= 0; d--) {
      at[d] = left % extent[d];
      left /= extent[d];
    }
    return List.of(at);
  }

  /** Returns the value that a read of an element must return. */
  Value value(List<Long> at) {
    return cells.getOrDefault(at, fill.value());
  }

  boolean isDefined(List<Long> at) {
    return !isSparse() || cells.containsKey(at);
  }

  void write(PickedElements pick, List<Value> values) {
    List<List<Long>> at = coordinates(pick);
    for (int i = 0; i < at.size(); i++) {
      cells.put(at.get(i), values.get(i));
    }
  }

  void erase(PickedElements pick) {
    coordinates(pick).forEach(cells::remove);
  }

  /** Changes the extent; elements outside the new extent are removed. */
  void reshape(long[] to) {
    extent = to.clone();
    cells.keySet().removeIf(at -> !isWithin(at));
  }

  private boolean isWithin(List<Long> at) {
    for (int d = 0; d < extent.length; d++) {
      if (at.get(d) >= extent[d]) {
        return false;
      }
    }
    return true;
  }

  long elements() {
    return Arrays.stream(extent).reduce(1, (a, b) -> a * b);
  }

  /** Returns the number of chunks that contain written values. */
  int chunks() {
    Set<List<Long>> touched = new HashSet<>();
    for (List<Long> at : cells.keySet()) {
      Long[] scaled = new Long[chunk.length];
      Arrays.setAll(scaled, d -> at.get(d) / chunk[d]);
      touched.add(List.of(scaled));
    }
    return touched.size();
  }

  void rechunk(long[] to) {
    chunk = to.clone();
  }

  /**
   * Makes the dataset sparse: elements with the given value become undefined, and the value becomes
   * the fill value.
   */
  void makeSparse(FillContent undefined) {
    Map<List<Long>, Value> all = new LinkedHashMap<>();
    for (long element = 0; element < elements(); element++) {
      List<Long> at = coordinates(element);
      Value value = value(at);
      boolean left = cells.containsKey(at) ? undefined.isAs(type, value) : undefined.isAs(fill);
      if (!left) {
        all.put(at, value);
      }
    }
    cells.clear();
    cells.putAll(all);
    storage = Storage.SPARSE;
    fill = undefined;
  }

  /**
   * Makes the dataset dense: the given value becomes the fill value, and therefore the value of all
   * undefined elements.
   */
  void makeDense(FillContent undefined) {
    storage = Storage.DENSE;
    fill = undefined;
  }

  @Override
  public String toString() {
    return path
        + " "
        + type
        + " "
        + storage
        + " extent="
        + Arrays.toString(extent)
        + " maximum="
        + Arrays.toString(maximum)
        + " chunk="
        + Arrays.toString(chunk)
        + " fill="
        + fill
        + " written="
        + cells.size();
  }
}
