package io.skerry.chunk.bytes;

import java.lang.foreign.MemorySegment;

/**
 * A lease of native memory from a pool. The memory contains arbitrary data when it is leased. After
 * {@link #close}, the memory may be leased to another user, so the segment must no longer be used.
 */
public interface Lease extends AutoCloseable {
  /** Returns the segment, which has exactly the requested size and is aligned to 8 bytes. */
  MemorySegment segment();

  /** Returns the memory to the pool. A second call has no effect. */
  @Override
  void close();
}
