package io.skerry.format.btree;

import java.lang.foreign.MemorySegment;

/** Where a record of a B-tree stands relative to one that is sought. */
@FunctionalInterface
public interface RecordOrder {
  /**
   * Compares a record of the tree with the sought one.
   *
   * @param record a record of the tree, not to be kept or changed
   * @return negative if it stands before the sought one, 0 if it is the sought one, positive if it
   *     stands after it
   */
  int compare(MemorySegment record);
}
