package io.skerry;

/** Whether a group remembers the order in which its links were created. */
public enum LinkOrder {
  /** It does not: links have the order of their names. */
  UNTRACKED,
  /** It does. */
  TRACKED
}
