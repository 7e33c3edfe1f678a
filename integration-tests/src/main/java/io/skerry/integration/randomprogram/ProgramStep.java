package io.skerry.integration.randomprogram;

import io.skerry.integration.random.PickedElements;
import java.util.Arrays;
import java.util.List;

/** A collective step of a program. Datasets are identified by their index. */
sealed interface ProgramStep {
  /** Creates the next dataset. */
  record Create(DatasetPlan plan) implements ProgramStep {}

  /**
   * Writes requests that may overlap; a later request in the list takes precedence.
   *
   * @param salt the number from which the values and their types in memory are derived
   */
  record Write(int dataset, List<PickedElements> requests, long salt) implements ProgramStep {
    /** Returns the value of an element of a request. */
    long value(int request, int place) {
      long mixed = (salt + 31L * request) * 0x9E3779B97F4A7C15L + place * 0xBF58476D1CE4E5B9L;
      return 1 + Math.floorMod(mixed ^ mixed >>> 29, 30_000L);
    }

    long[] values(int request) {
      long[] values = new long[requests.get(request).elements().length];
      Arrays.setAll(values, place -> value(request, place));
      return values;
    }
  }

  /** Writes to one or more distinct datasets in each call. */
  record WriteAll(List<Write> writes) implements ProgramStep {}

  /** Erases elements. */
  record Erase(int dataset, List<PickedElements> requests) implements ProgramStep {}

  /** Changes the extent of a dataset. */
  record Extend(int dataset, long[] extent) implements ProgramStep {}

  /** Flushes the file. */
  record Flush() implements ProgramStep {}

  /** Reads values and compares them with the model. */
  record Read(int dataset, List<PickedElements> requests) implements ProgramStep {}

  /** Queries the defined elements and compares them with the model. */
  record Defined(int dataset, List<PickedElements> requests) implements ProgramStep {}
}
