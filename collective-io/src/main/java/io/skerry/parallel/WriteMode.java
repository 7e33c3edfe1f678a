package io.skerry.parallel;

/** The time at which written chunks are stored. */
public enum WriteMode {
  /**
   * The next flush stores the chunks. Until then, they are kept in the memory of their owners, so a
   * chunk is encoded only once, regardless of the number of writes that change it.
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
