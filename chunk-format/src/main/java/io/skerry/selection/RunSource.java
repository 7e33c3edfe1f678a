package io.skerry.selection;

/**
 * Runs of row-major indices in the order of a selection, one at a time. Successive runs may be
 * adjacent.
 */
sealed interface RunSource permits HyperslabRuns, RegionRuns, PointRuns {
  /**
   * Advances to the next run.
   *
   * @return false if there are no more runs
   */
  boolean advance();

  /** Returns the row-major index, in the extent, of the first element of the current run. */
  long offset();

  /** Returns the number of elements of the current run. */
  long length();

  /** Moves back to the position before the first run. */
  void restart();
}
