package io.skerry.jobs.interchange;

import io.skerry.jobs.argument.FileArgument;

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

  /**
   * Parses {@code FILE[:/path]}, the name of an array in this form.
   *
   * @throws IllegalArgumentException if a text has a path
   */
  public FileArgument parseArgument(String text) {
    FileArgument argument = FileArgument.parse(text);
    if (this == MTX && argument.path().isPresent()) {
      throw new IllegalArgumentException("a text has no path in it: file=" + text);
    }
    return argument;
  }

  /** Whether it is a matrix and nothing else. */
  boolean isMatrix() {
    return this == CSR || this == CSC || this == MTX;
  }
}
