package io.skerry.iod.transaction;

/** The treatment of a place that several clients change in one transaction. */
public enum Conflicts {
  /**
   * The change of the second client is refused. The participant that stores the place detects the
   * conflict, for which it keeps the places of unfinished transactions in memory.
   */
  REFUSED,
  /** One of the changes is stored. It is undefined which. */
  UNDEFINED
}
