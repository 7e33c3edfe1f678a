package io.skerry;

/** The tracking of the order in which the links of a group were created. */
public enum LinkOrder {
  /** The order of creation is not stored; links are listed by name. */
  UNTRACKED,
  /** The order of creation is stored too; links are still listed by name. */
  TRACKED
}
