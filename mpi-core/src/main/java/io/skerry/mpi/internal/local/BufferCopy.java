package io.skerry.mpi.internal.local;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Copies of buffers that any thread may read. The sender makes them, since its segment may be
 * confined to its thread and may be reused when the call returns.
 */
final class BufferCopy {
  private static final int MOST_HEAP_BYTES = 1 << 28;

  private BufferCopy() {}

  static MemorySegment of(MemorySegment segment) {
    long bytes = segment.byteSize();
    var copy =
        bytes <= MOST_HEAP_BYTES
            ? MemorySegment.ofArray(new byte[(int) bytes])
            : Arena.ofAuto().allocate(bytes);
    return copy.copyFrom(segment).asReadOnly();
  }
}
