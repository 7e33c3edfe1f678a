package io.skerry.value;

import io.skerry.format.Widths;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** What elements of one file refer to: heap objects, and objects by address. Local. */
public interface Contents {
  /** Bytes of addresses and lengths in the file. */
  Widths widths();

  /** Bytes in the file. */
  long fileSize();

  /**
   * An object of the global heap.
   *
   * @param collection address of its collection
   * @param index of the object in it, at least 1
   * @throws io.skerry.chunk.FormatException if there is none
   */
  MemorySegment heapObject(long collection, int index);

  /**
   * The path of the object with its header at an address: the first that a depth-first walk along
   * hard links, in the order links are stored, comes to; empty if none leads to it.
   */
  Optional<String> pathOf(long address);

  /** Whether the header of an object can be read at an address. */
  boolean isObject(long address);
}
