package io.skerry.iod.transaction;

/** The ways to choose the readable transaction of a read context. */
public enum VersionChoice {
  /** The given transaction. */
  EXACT,
  /** The newest readable transaction that is not above the given one. */
  PREV,
  /** The oldest readable transaction that is not below the given one. */
  NEXT,
  /** The newest readable transaction; the given number is ignored. */
  LAST
}
