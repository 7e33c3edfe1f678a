package io.skerry.selection;

/** Runs of row-major indices in the order of a selection, one at a time; neighbours may touch. */
sealed interface RunSource permits HyperslabRuns, RegionRuns, PointRuns {
  /** Goes to the next run; false at the end. */
  boolean advance();

  /** Row-major index of the run's first element in the extent. */
  long offset();

  /** Elements of the run. */
  long length();

  /** Back to before the first run. */
  void restart();
}
