package io.skerry.selection;

/** The form of an encoded selection, independent of the version of the encoding. */
public enum SelectionForm {
  /** No elements. */
  NONE,
  /** All elements, without a list. */
  ALL,
  /** A regular hyperslab: start, stride, count and block. */
  REGULAR,
  /** A list of blocks. */
  BLOCKS,
  /** A list of points. */
  POINTS
}
