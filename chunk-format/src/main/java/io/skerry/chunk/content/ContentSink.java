package io.skerry.chunk.content;

import java.lang.foreign.MemorySegment;

/** Stores the content of variable-length parts and returns pointers to it. */
public interface ContentSink {
  /**
   * Stores a copy of the given content.
   *
   * @return the pointer, 1 to 2^48-1
   * @throws io.skerry.exception.UnsupportedFeatureException if there is no room for the content
   * @throws io.skerry.exception.FormatException if the content exceeds a limit that the sink
   *     imposes because the file may be damaged
   */
  long keep(MemorySegment content);
}
