package io.skerry.selection;

/** Receives the runs of a selection, in its order. */
@FunctionalInterface
public interface RunVisitor {
  /**
   * Receives a run of elements along the last dimension. Local.
   *
   * @param start coordinates of the first element; the array is reused for the next run
   * @param length number of elements, at least 1
   */
  void run(long[] start, long length);
}
