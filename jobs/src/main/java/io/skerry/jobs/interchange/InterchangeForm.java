package io.skerry.jobs.interchange;

/** A form in which other programs read sparse data. */
public enum InterchangeForm {
  /** Compressed rows, a group as in AnnData. */
  CSR,
  /** Compressed columns, a group as in AnnData. */
  CSC,
  /** A list of elements of any rank, a group. */
  COO,
  /** An ordinary dataset. */
  DENSE,
  /** Matrix Market text. */
  MTX;

  /** Whether it is a matrix and nothing else. */
  boolean isMatrix() {
    return this == CSR || this == CSC || this == MTX;
  }
}
