package io.skerry;

/** The tracking of the order in which the attributes of an object were created. */
public enum AttributeOrder {
  /** The order of creation is not stored; attributes are listed in an unspecified order. */
  UNTRACKED,
  /** The order of creation is stored, and attributes are listed in that order. */
  TRACKED
}
