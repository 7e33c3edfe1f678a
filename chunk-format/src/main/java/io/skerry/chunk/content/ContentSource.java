package io.skerry.chunk.content;

import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;

/** Finds the content of variable-length parts by the pointers in their descriptors. */
interface ContentSource {
  /**
   * The content that a pointer leads to.
   *
   * @param pointer not 0, which leads nowhere
   * @param bytes of the content
   * @throws FormatException if there is nothing, or less
   */
  MemorySegment content(long pointer, long bytes);
}
