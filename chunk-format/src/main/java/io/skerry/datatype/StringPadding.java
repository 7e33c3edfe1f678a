package io.skerry.datatype;

/** Padding of text that is shorter than its field, in the order of the format's numbers. */
public enum StringPadding {
  /** A NUL ends the text, so one byte of the field is lost to it. */
  NULL_TERMINATED,
  /** NULs fill the rest; text may fill the field. */
  NULL_PADDED,
  /** Spaces fill the rest. */
  SPACE_PADDED
}
