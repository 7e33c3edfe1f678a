package io.skerry.parallel;

/** The time at which written chunks are stored. */
public enum WriteMode {
  /**
   * The next flush, at the latest, stores the chunks. Until then, they may be kept in memory, so
   * that a chunk need not be encoded for every write.
   */
  BACK,
  /**
   * Every collective write of elements to a chunked dataset and every erasure ends with a flush of
   * the file, and is durable when the call returns. If the flush fails before its commit, the call
   * fails, and the next flush stores the written elements. All other writes are durable after the
   * next flush.
   */
  THROUGH
}
