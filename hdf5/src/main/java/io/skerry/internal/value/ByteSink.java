package io.skerry.internal.value;

import java.lang.foreign.MemorySegment;

/** Takes bytes, one run after the other. */
@FunctionalInterface
public interface ByteSink {
  /** The next bytes, which the sink must not keep. */
  void accept(MemorySegment bytes);
}
