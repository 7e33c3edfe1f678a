package io.skerry.peers;

/** Reads boxes of one size from one open dataset. Used by one thread only. */
interface BoxReader {
  /** Reads the box that begins at the given row and column. */
  void read(int row, int column);

  /** Returns the sum of the values of the last box that was read. */
  long sum();
}
