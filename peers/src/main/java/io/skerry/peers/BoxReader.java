package io.skerry.peers;

/** Reads boxes of one size out of one open dataset, for one thread. */
interface BoxReader {
  /** Reads a box. */
  void read(int row, int column);

  /** The sum of what was read last. */
  long sum();
}
