package io.skerry.selection;

/**
 * Runs of row-major indices in the order of a selection, one at a time. Successive runs may be
 * adjacent.
 */
sealed interface RunSource permits HyperslabRuns, RegionRuns, PointRuns {
  /** Advances to the next run; false at the end. */
  boolean advance();

  /** Row-major index of the first element of the run in the extent. */
  long offset();

  /** Number of elements of the run. */
  long length();

  /** Returns to the position before the first run. */
  void restart();
}
