package io.skerry.chunk.bytes;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Leases that end together, with the try block that holds this. For one thread. */
public final class Leases implements AutoCloseable {
  private final SegmentPool pool;
  private final List<Lease> taken = new ArrayList<>();

  /** No lease yet. */
  public Leases(SegmentPool pool) {
    this.pool = pool;
  }

  /** Takes memory until {@link #close}; it holds whatever its last user left. */
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
