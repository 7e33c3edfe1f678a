package io.skerry;

/** Specifies whether a group tracks the creation order of its links. */
public enum LinkOrder {
  /** The creation order is not stored; links are listed by name. */
  UNTRACKED,
  /** The creation order is also stored; links are still listed by name. */
  TRACKED
}
