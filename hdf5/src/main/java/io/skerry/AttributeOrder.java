package io.skerry;

/** Specifies whether an object tracks the creation order of its attributes. */
public enum AttributeOrder {
  /** The order of creation is not stored; attributes are listed in an unspecified order. */
  UNTRACKED,
  /** The order of creation is stored, and attributes are listed in that order. */
  TRACKED
}
