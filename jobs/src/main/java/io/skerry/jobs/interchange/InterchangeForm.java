package io.skerry.jobs.interchange;

import io.skerry.jobs.argument.FileArgument;

/** A form in which sparse data is exchanged with other programs. */
public enum InterchangeForm {
  /** Compressed sparse rows: a group as in AnnData. */
  CSR,
  /** Compressed sparse columns: a group as in AnnData. */
  CSC,
  /** A coordinate list of an array of any rank: a group. */
  COO,
  /** A dense dataset. */
  DENSE,
  /** Matrix Market text. */
  MTX;

  /**
   * Parses {@code FILE[:/path]}, the location of an array in this form.
   *
   * @throws IllegalArgumentException if the form is a text file and a path is given
   */
  public FileArgument parseArgument(String text) {
    FileArgument argument = FileArgument.parse(text);
    if (this == MTX && argument.path().isPresent()) {
      throw new IllegalArgumentException("a text has no path in it: file=" + text);
    }
    return argument;
  }

  /** Returns whether the form is limited to two-dimensional arrays. */
  boolean isMatrix() {
    return this == CSR || this == CSC || this == MTX;
  }
}
