package io.skerry.chunk.bytes;

import java.lang.foreign.MemorySegment;

/**
 * Pooled native memory for a limited time. The memory contains arbitrary data when it is leased;
 * after {@link #close}, it may be leased to another user. Do not let the segment escape from the
 * method that took the lease.
 */
public interface Lease extends AutoCloseable {
  /** Returns the segment, which has exactly the requested size and is aligned to 8 bytes. */
  MemorySegment segment();

  /** Returns the memory to the pool. A second call has no effect. */
  @Override
  void close();
}
