package io.skerry.testkit.matrix;

/** What an access asks of the storage, which not every storage can do. */
enum Trait {
  /** The extent changes. */
  GROWS,
  /** Elements have members. */
  COMPOUND,
  /** The type in memory is another one than that in the file. */
  CONVERTS,
  /** Elements that nobody wrote have a value other than zero. */
  FILLED,
  /** There is a fill value, but space is not filled with it. */
  NEVER_FILLED,
  /** There is no fill value. */
  WITHOUT_FILL,
  /** Partial chunks at the edge have no filters. */
  PLAIN_EDGES
}
