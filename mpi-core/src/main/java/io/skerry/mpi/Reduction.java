package io.skerry.mpi;

/**
 * An operation that combines the elements of several ranks. Integer sums wrap around on overflow.
 */
public enum Reduction {
  SUM,
  MIN,
  MAX,
  BIT_OR,
  BIT_AND
}
