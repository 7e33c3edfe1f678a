package io.skerry.integration.matrix;

/** The processes that write and read the file of a case. */
public enum Direction {
  /** All ranks write collectively, and each reads its own selection while the file is open. */
  WRITE,
  /** One process has written the file; all ranks read their own selections collectively. */
  READ,
  /** One process has written the file; all ranks read all elements collectively. */
  SERIAL_TO_PARALLEL,
  /** All ranks have written the file collectively; one process reads the selection of each rank. */
  PARALLEL_TO_SERIAL;

  boolean writesTogether() {
    return this == WRITE || this == PARALLEL_TO_SERIAL;
  }
}
