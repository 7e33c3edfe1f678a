package io.skerry.mpi.internal.local;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Copies buffers to memory that any thread may read. The sending rank makes the copy, since its
 * segment may be confined to its thread and may be reused as soon as the call returns.
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
