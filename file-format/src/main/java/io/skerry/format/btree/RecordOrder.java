package io.skerry.format.btree;

import java.lang.foreign.MemorySegment;

/** A search key: compares the records of a B-tree with a sought record. */
@FunctionalInterface
public interface RecordOrder {
  /**
   * Compares a record of the tree with the sought record.
   *
   * @param record a record of the tree, which must not be kept or changed
   * @return a negative number if the record precedes the sought one, 0 if it is the sought one, or
   *     a positive number if it follows the sought one
   */
  int compare(MemorySegment record);
}
