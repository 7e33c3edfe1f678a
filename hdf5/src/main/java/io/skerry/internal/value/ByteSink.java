package io.skerry.internal.value;

import java.lang.foreign.MemorySegment;

/** Receives bytes, one run after the other. */
@FunctionalInterface
public interface ByteSink {
  /** Receives the next bytes, which the sink must not retain. */
  void accept(MemorySegment bytes);
}
