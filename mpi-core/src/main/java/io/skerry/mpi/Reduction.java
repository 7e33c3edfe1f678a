package io.skerry.mpi;

/** Operation that combines elements of several ranks. Integer sums wrap around. */
public enum Reduction {
  SUM,
  MIN,
  MAX,
  BIT_OR,
  BIT_AND
}
