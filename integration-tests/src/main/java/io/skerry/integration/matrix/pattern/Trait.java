package io.skerry.integration.matrix.pattern;

/** A requirement of an access pattern that only some storage layouts meet. */
public enum Trait {
  /** The extent changes. */
  GROWS,
  /** Elements have members. */
  COMPOUND,
  /** The type in memory differs from the type in the file. */
  CONVERTS,
  /** Elements that were never written have a nonzero value. */
  FILLED,
  /** There is a fill value, but allocated space is not filled with it. */
  NEVER_FILLED,
  /** There is no fill value. */
  WITHOUT_FILL,
  /** Partial chunks at the edge have no filters. */
  PLAIN_EDGES
}
