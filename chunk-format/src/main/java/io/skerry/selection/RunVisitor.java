package io.skerry.selection;

/** Receives the runs of a selection, in the order of the selection. */
@FunctionalInterface
public interface RunVisitor {
  /**
   * Receives a run of elements along the last dimension. Local; called by the thread that visits
   * the selection. An exception ends the visit.
   *
   * @param start the coordinates of the first element; the array is reused for the next run
   * @param length the number of elements, at least 1
   */
  void run(long[] start, long length);
}
