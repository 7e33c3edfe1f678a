package io.skerry.integration.randomprogram;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** A dataset of variable-length strings that grows, and a model of its content. */
final class TextColumn {
  /** The location of the strings. */
  private enum Content {
    /** In sections of sparse chunks. */
    IN_CHUNKS,
    /** In the global heap. */
    IN_HEAP
  }

  private static final int LONGEST = 300;

  private final String path;
  private final Content content;
  private final TreeMap<Long, String> values = new TreeMap<>();
  private long extent;

  private TextColumn(String path, Content content) {
    this.path = path;
    this.content = content;
  }

  static TextColumn sparse() {
    return new TextColumn("/texts", Content.IN_CHUNKS);
  }

  static TextColumn dense() {
    return new TextColumn("/notes", Content.IN_HEAP);
  }

  /**
   * A change.
   *
   * @param extent the new extent
   * @param written the new values by element
   * @param erased the erased elements; none in a dense column
   */
  record Change(long extent, SortedMap<Long, String> written, List<Long> erased) {}

  String path() {
    return path;
  }

  /** Draws a change. */
  Change draw(RandomGenerator random) {
    if (random.nextBoolean()) {
      return new Change(extent, new TreeMap<>(), List.of());
    }
    long next = Math.min(120, extent + 1 + random.nextInt(4));
    TreeMap<Long, String> written = new TreeMap<>();
    for (int i = 1 + random.nextInt(12); i > 0; i--) {
      int length = random.nextInt(random.nextInt(4) == 0 ? LONGEST : 20);
      StringBuilder text = new StringBuilder();
      for (int c = 0; c < length; c++) {
        text.append((char) ('a' + random.nextInt(26)));
      }
      written.put(random.nextLong(next), text.toString());
    }
    List<Long> erased = new ArrayList<>();
    if (content == Content.IN_CHUNKS && random.nextInt(2) == 0) {
      erased.add(random.nextLong(next));
    }
    return new Change(next, written, erased);
  }

  void apply(Change change) {
    extent = change.extent();
    values.putAll(change.written());
    change.erased().forEach(values::remove);
  }

  /** Creates the dataset. Collective. */
  void create(H5File file) {
    DatasetSpec spec =
        DatasetSpec.of(VariableLength.string(CharacterSet.UTF8), Shape.of(0).unlimited(0));
    file.createDataset(
        path,
        switch (content) {
          case IN_CHUNKS -> spec.sparse(7).filters(Filters.deflate(1));
          case IN_HEAP -> spec.chunked(8);
        });
  }

  /** Applies a change to the file; each rank writes a part of the elements. Collective. */
  void perform(H5File file, Change change, Communicator ranks) {
    if (change.written().isEmpty() && change.erased().isEmpty()) {
      return;
    }
    Dataset dataset = file.dataset(path);
    dataset.extend(change.extent());
    List<Long> mine =
        change.written().keySet().stream().filter(at -> at % ranks.size() == ranks.rank()).toList();
    dataset.write(
        points(mine), mine.stream().map(at -> change.written().get(at)).toArray(String[]::new));
    if (!change.erased().isEmpty()) {
      dataset.erase(ranks.rank() == 0 ? points(change.erased()) : Selection.none());
    }
  }

  private static Selection points(List<Long> places) {
    return places.isEmpty()
        ? Selection.none()
        : Selection.points(places.stream().map(at -> new long[] {at}).toArray(long[][]::new));
  }

  /** Returns the expected values; those of undefined elements are empty strings. */
  List<String> expected() {
    List<String> all = new ArrayList<>();
    for (long at = 0; at < extent; at++) {
      all.add(values.getOrDefault(at, ""));
    }
    return all;
  }

  /** Returns a description of the difference to the content of a file; "" for none. */
  String difference(H5File file) {
    Dataset dataset = file.dataset(path);
    List<String> found = extent == 0 ? List.of() : dataset.readStrings(Selection.all());
    if (dataset.shape().extent(0) != extent || !found.equals(expected())) {
      return path + ": expected=" + expected() + " actual=" + found;
    }
    if (content == Content.IN_CHUNKS) {
      List<Long> defined = new ArrayList<>();
      for (long at : dataset.defined(Selection.all()).toCoordinates(dataset.shape())) {
        defined.add(at);
      }
      if (!defined.equals(List.copyOf(values.keySet()))) {
        return path + ": defined: expected=" + values.keySet() + " actual=" + defined;
      }
    }
    return "";
  }
}
