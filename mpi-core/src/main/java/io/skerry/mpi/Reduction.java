package io.skerry.mpi;

/** How elements of several ranks become one. Integer sums wrap around. */
public enum Reduction {
  SUM,
  MIN,
  MAX,
  BIT_OR,
  BIT_AND
}
