package io.skerry;

/** Whether an object remembers the order in which its attributes were created. */
public enum AttributeOrder {
  /** It does not: the order of attributes means nothing. */
  UNTRACKED,
  /** It does, and lists them in that order. */
  TRACKED
}
