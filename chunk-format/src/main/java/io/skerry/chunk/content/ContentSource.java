package io.skerry.chunk.content;

import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;

/** Finds the content of variable-length parts by the pointers in their descriptors. */
interface ContentSource {
  /**
   * Returns the content at a pointer.
   *
   * @param pointer the pointer, not 0
   * @param bytes size of the content in bytes
   * @throws FormatException if there is no content at the pointer, or less than {@code bytes}
   */
  MemorySegment content(long pointer, long bytes);
}
