package io.skerry.datatype;

/**
 * The padding of text that is shorter than its field. The constants are in the order of their codes
 * in the file format.
 */
public enum StringPadding {
  /** A NUL terminates the text and takes one byte of the field. */
  NULL_TERMINATED,
  /** NULs fill the rest of the field; text that fills the field has no NUL. */
  NULL_PADDED,
  /** Spaces fill the rest of the field. */
  SPACE_PADDED
}
