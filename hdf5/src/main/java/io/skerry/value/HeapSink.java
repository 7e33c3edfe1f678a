package io.skerry.value;

import io.skerry.format.heap.GlobalHeapWriter;
import java.lang.foreign.MemorySegment;

/** Takes content of variable length and says where it will stand in the file. */
@FunctionalInterface
public interface HeapSink {
  /**
   * Stores bytes in the global heap.
   *
   * @param content copied; none is stored nowhere
   */
  GlobalHeapWriter.Reference add(MemorySegment content);
}
