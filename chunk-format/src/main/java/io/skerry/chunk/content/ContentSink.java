package io.skerry.chunk.content;

import java.lang.foreign.MemorySegment;

/** Takes the content of variable-length parts, and says by what pointer it is found again. */
public interface ContentSink {
  /**
   * Keeps a copy of some content.
   *
   * @return the pointer, 1 to 2^48 - 1
   */
  long keep(MemorySegment content);
}
