package io.skerry.datatype;

/**
 * Padding of text that is shorter than its field. The constants are in the order of their codes in
 * the file format.
 */
public enum StringPadding {
  /** A NUL terminates the text and takes one byte of the field. */
  NULL_TERMINATED,
  /** NULs fill the rest of the field; text of the full length has none. */
  NULL_PADDED,
  /** Spaces fill the rest of the field. */
  SPACE_PADDED
}
