package io.skerry.selection;

/** How an encoded selection writes down its elements, whatever the version of the encoding. */
public enum SelectionForm {
  /** No element. */
  NONE,
  /** Every element, of which none is listed. */
  ALL,
  /** A regular pattern: start, stride, count and block. */
  REGULAR,
  /** A list of blocks. */
  BLOCKS,
  /** A list of points. */
  POINTS
}
