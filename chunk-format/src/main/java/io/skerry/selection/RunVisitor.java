package io.skerry.selection;

/** Receives the runs of a selection, one after the other. */
@FunctionalInterface
public interface RunVisitor {
  /**
   * Elements that follow each other along the last dimension. Local.
   *
   * @param start coordinates of the first one; reused for the next run, so copy what must stay
   * @param length how many, at least 1
   */
  void run(long[] start, long length);
}
