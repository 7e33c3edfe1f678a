package io.skerry.integration.lifecycle;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.integration.random.FillBytes;
import io.skerry.integration.random.PickedElements;
import io.skerry.integration.random.SelectionGenerator;
import io.skerry.integration.random.ValueComparison;
import io.skerry.selection.Selection;
import io.skerry.value.Value;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Compares data read from a file with a model. Collective; each rank may pass its own selections.
 */
final class Comparison {
  private final H5File file;

  Comparison(H5File file) {
    this.file = file;
  }

  /** Compares a whole dataset: its extent, the values of all elements, and which are defined. */
  void everything(DatasetModel expected) {
    Dataset dataset = file.dataset(expected.path());
    long[] actual = dataset.shape().extent();
    check(
        Arrays.equals(actual, expected.extent()),
        expected,
        "extent",
        Arrays.toString(expected.extent()),
        Arrays.toString(actual));
    check(
        dataset.isSparse() == expected.isSparse(), expected, "sparse", expected.isSparse(), "not");
    PickedElements all =
        expected.elements() == 0 ? PickedElements.NOTHING : SelectionGenerator.all(actual);
    values(expected, all);
    defined(expected, all);
  }

  /** Compares the values of the selected elements. */
  void values(DatasetModel expected, PickedElements pick) {
    List<Value> actual = file.dataset(expected.path()).readValues(pick.selection());
    List<List<Long>> at = expected.coordinates(pick);
    check(actual.size() == at.size(), expected, "values of " + pick, at.size(), actual.size());
    for (int i = 0; i < at.size(); i++) {
      Value wanted = expected.value(at.get(i));
      if (!ValueComparison.test(wanted, actual.get(i))) {
        throw different(
            expected, "value at " + at.get(i) + " of " + pick.selection(), wanted, actual.get(i));
      }
    }
  }

  /**
   * Compares the bytes of the selected elements; their type must have no variable-length parts or
   * references.
   */
  void bytes(DatasetModel expected, PickedElements pick) {
    byte[] actual = file.dataset(expected.path()).readBytes(pick.selection());
    ByteArrayOutputStream wanted = new ByteArrayOutputStream();
    for (List<Long> at : expected.coordinates(pick)) {
      wanted.writeBytes(
          expected.cells().containsKey(at)
              ? FillBytes.of(expected.type(), expected.value(at))
              : expected.fill().bytes());
    }
    int first = Arrays.mismatch(wanted.toByteArray(), actual);
    check(first < 0, expected, "bytes of " + pick.selection(), "the same", "byte " + first);
  }

  /** Compares which selected elements are defined; points keep their order and repetitions. */
  void defined(DatasetModel expected, PickedElements pick) {
    Dataset dataset = file.dataset(expected.path());
    long[] flat = dataset.defined(pick.selection()).toCoordinates(dataset.shape());
    int rank = expected.extent().length;
    List<List<Long>> actual = new ArrayList<>();
    for (int i = 0; i < flat.length; i += rank) {
      actual.add(Arrays.stream(flat, i, i + rank).boxed().toList());
    }
    List<List<Long>> wanted =
        expected.coordinates(pick).stream().filter(expected::isDefined).toList();
    if (!actual.equals(wanted)) {
      Set<List<Long>> more = new LinkedHashSet<>(actual);
      wanted.forEach(more::remove);
      Set<List<Long>> missing = new LinkedHashSet<>(wanted);
      actual.forEach(missing::remove);
      throw different(
          expected,
          "defined in " + pick.selection() + ", in its order",
          wanted.size() + " elements, " + missing + " among them",
          actual.size() + " elements, " + more + " among them");
    }
  }

  /**
   * Requires, for a sparse dataset after a flush, that the number of stored chunks equals the
   * number of chunks with defined elements.
   */
  void chunks(DatasetModel expected) {
    if (expected.isSparse()) {
      long actual = file.dataset(expected.path()).usage().chunks();
      check(actual == expected.chunks(), expected, "stored chunks", expected.chunks(), actual);
    }
  }

  /** Requires, after a flush, that no chunk is stored and no element is defined. */
  void nothingStored(DatasetModel expected) {
    Dataset dataset = file.dataset(expected.path());
    long stored =
        dataset.usage().chunks() + dataset.defined(Selection.all()).count(dataset.shape());
    check(stored == 0, expected, "chunks and elements after all was erased", 0, stored);
  }

  private static void check(
      boolean same, DatasetModel dataset, String what, Object expected, Object actual) {
    if (!same) {
      throw different(dataset, what, expected, actual);
    }
  }

  private static AssertionError different(
      DatasetModel dataset, String what, Object expected, Object actual) {
    return new AssertionError(
        what + ": expected=" + expected + " actual=" + actual + " dataset=" + dataset);
  }
}
