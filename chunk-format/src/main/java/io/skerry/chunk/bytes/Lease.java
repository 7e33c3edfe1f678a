package io.skerry.chunk.bytes;

import java.lang.foreign.MemorySegment;

/**
 * Pooled native memory for a limited time. It contains arbitrary data when leased; after {@link
 * #close}, another user may get it. Do not pass the segment beyond the method that took the lease.
 */
public interface Lease extends AutoCloseable {
  /** The segment, of exactly the requested size, aligned to 8 bytes. */
  MemorySegment segment();

  /** Returns the memory to the pool. A second call has no effect. */
  @Override
  void close();
}
