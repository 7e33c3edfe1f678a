package io.skerry.chunk.bytes;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Leases that are closed together at the end of a try block. For use by a single thread. */
public final class Leases implements AutoCloseable {
  private final SegmentPool pool;
  private final List<Lease> taken = new ArrayList<>();

  /** Creates an empty set of leases of memory from the given pool. */
  public Leases(SegmentPool pool) {
    this.pool = pool;
  }

  /**
   * Leases memory until {@link #close}. The memory contains arbitrary data.
   *
   * @param bytes the size in bytes
   */
  public MemorySegment take(long bytes) {
    Lease lease = pool.lease(bytes);
    taken.add(lease);
    return lease.segment();
  }

  @Override
  public void close() {
    taken.forEach(Lease::close);
    taken.clear();
  }
}
