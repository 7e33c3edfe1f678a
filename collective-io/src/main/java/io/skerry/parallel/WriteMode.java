package io.skerry.parallel;

/** When what is written to chunks is stored. */
public enum WriteMode {
  /**
   * By the next flush: chunks stay in the memory of the ranks that own them, where later writes
   * find them, and are encoded once however many writes they take.
   */
  BACK,
  /**
   * At once: every write and every erasure ends with a flush of the file, and is durable when it
   * returns. If that flush fails, so does the call; what it has written is in memory then, for the
   * next flush to store.
   */
  THROUGH
}
