package io.skerry.testkit.matrix;

/** Who writes and who reads. */
public enum Direction {
  /** All ranks write together, and each reads its own selection while the file is still open. */
  WRITE,
  /** One process has written; all ranks read their own selections together. */
  READ,
  /** One process has written; all ranks read everything together. */
  SERIAL_TO_PARALLEL,
  /** All ranks have written together; one process reads the selection of each. */
  PARALLEL_TO_SERIAL;

  boolean writesTogether() {
    return this == WRITE || this == PARALLEL_TO_SERIAL;
  }
}
