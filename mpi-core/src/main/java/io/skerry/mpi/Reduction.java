package io.skerry.mpi;

/**
 * An operation that combines the elements of several ranks. Integer sums wrap around on overflow.
 */
public enum Reduction {
  /** The sum of the elements. */
  SUM,
  /** The least element. */
  MIN,
  /** The greatest element. */
  MAX,
  /** The bitwise or of the elements. */
  BIT_OR,
  /** The bitwise and of the elements. */
  BIT_AND
}
