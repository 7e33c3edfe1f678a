package io.skerry;

/** Specifies whether an object tracks the creation order of its attributes. */
public enum AttributeOrder {
  /** The creation order is not stored; attributes are listed in an unspecified order. */
  UNTRACKED,
  /** The creation order is stored, and attributes are listed in that order. */
  TRACKED
}
