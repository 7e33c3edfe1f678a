package io.skerry.internal.value;

import java.lang.foreign.MemorySegment;

/** Writes the canonical bytes of packed elements of one type. */
@FunctionalInterface
interface ElementForm {
  /**
   * Writes the canonical bytes of consecutive elements.
   *
   * @param at the offset of the first element in bytes
   * @param count the number of elements
   */
  void write(MemorySegment in, long at, long count, Gathered out);
}
