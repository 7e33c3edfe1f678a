package io.skerry.testkit.trial;

import java.util.Arrays;
import java.util.List;

/** One collective step of a program. Datasets are named by their number. */
sealed interface Step {
  /** Creates the next dataset. */
  record Create(DatasetPlan plan) implements Step {}

  /**
   * Writes requests that may overlap; the later in the list wins.
   *
   * @param salt what the values, and their types in memory, derive from
   */
  record Write(int dataset, List<Pick> requests, long salt) implements Step {
    /** The value of one place of one request. */
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

  /** Erases. */
  record Erase(int dataset, List<Pick> requests) implements Step {}

  /** Gives a dataset another extent. */
  record Extend(int dataset, long[] extent) implements Step {}

  /** Flushes. */
  record Flush() implements Step {}

  /** Reads and compares values. */
  record Read(int dataset, List<Pick> requests) implements Step {}

  /** Asks for the defined elements and compares. */
  record Defined(int dataset, List<Pick> requests) implements Step {}
}
