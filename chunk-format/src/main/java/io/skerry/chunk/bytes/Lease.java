package io.skerry.chunk.bytes;

import java.lang.foreign.MemorySegment;

/**
 * Pooled native memory for a while. Its bytes are whatever the last user left; after {@link #close}
 * they belong to somebody else. Never hand the segment on beyond the method that took the lease.
 */
public interface Lease extends AutoCloseable {
  /** Exactly the bytes asked for, aligned to 8. */
  MemorySegment segment();

  /** Gives the memory back. A second call does nothing. */
  @Override
  void close();
}
