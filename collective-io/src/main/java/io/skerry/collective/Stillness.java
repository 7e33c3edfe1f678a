package io.skerry.collective;

import io.skerry.cache.ChunkCache;
import io.skerry.cache.RequestOrder;
import java.util.function.Supplier;

/**
 * Keeps the threads of a rank from what an operation needs for itself: space of the file, or all
 * chunks. Local.
 */
record Stillness(Session session) {

  /** Keeps the cache from taking space while something is done that may. */
  <T> T holdingSpace(Supplier<T> body) {
    try (var _ = session.cache().holdStores()) {
      return body.get();
    }
  }

  /**
   * Lets the requests of a rank that is alone end, and keeps new ones away. With several ranks
   * there are none but independent reads, for which the flush sees to that.
   */
  ChunkCache.Quiet quiet(RequestOrder.Kind kind) {
    return isAlone() ? session.cache().quiet(kind) : () -> {};
  }

  /** The same for one dataset, which changes. */
  ChunkCache.Quiet quiet(ChunkedDataset dataset) {
    if (!isAlone()) {
      return () -> {};
    }
    RequestOrder.Ticket ticket = dataset.chunks().requests().enterAll(RequestOrder.Kind.WRITE);
    return ticket::close;
  }

  private boolean isAlone() {
    return session.ranks().size() == 1;
  }
}
