package io.skerry.internal.value;

import java.lang.foreign.MemorySegment;

/** Writes the canonical bytes of packed elements of one type. */
@FunctionalInterface
interface ElementForm {
  /**
   * Writes so many elements.
   *
   * @param at first byte of the first
   */
  void write(MemorySegment in, long at, long count, Gathered out);
}
