package io.skerry.testkit.trial;

import java.util.Arrays;
import java.util.List;

/** A collective step of a program. Datasets are identified by their index. */
sealed interface Step {
  /** Creates the next dataset. */
  record Create(DatasetPlan plan) implements Step {}

  /**
   * Writes requests that may overlap; the later one in the list takes precedence.
   *
   * @param salt the number from which the values and their types in memory derive
   */
  record Write(int dataset, List<Pick> requests, long salt) implements Step {
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

  /** Writes to several datasets in one call, none of them twice. */
  record WriteAll(List<Write> writes) implements Step {}

  /** Erases elements. */
  record Erase(int dataset, List<Pick> requests) implements Step {}

  /** Changes the extent of a dataset. */
  record Extend(int dataset, long[] extent) implements Step {}

  /** Flushes the file. */
  record Flush() implements Step {}

  /** Reads and compares values. */
  record Read(int dataset, List<Pick> requests) implements Step {}

  /** Queries the defined elements and compares. */
  record Defined(int dataset, List<Pick> requests) implements Step {}
}
