package io.skerry.integration.scale;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * Measures the heap that ranks use when all have reached the same point and still hold their
 * objects.
 */
final class HeapMeter {
  private final int ranks;
  private final long before = used();
  private final CyclicBarrier everybody;
  private volatile long after;

  HeapMeter(int ranks) {
    this.ranks = ranks;
    this.everybody = new CyclicBarrier(ranks, () -> after = used());
  }

  private static long used() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /**
   * Waits until all ranks have arrived, then measures the heap; objects that a caller still
   * references are included.
   */
  void meet() {
    try {
      everybody.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while ranks were measured", e);
    } catch (BrokenBarrierException e) {
      throw new IllegalStateException("another rank was interrupted", e);
    }
  }

  /**
   * Returns the average number of bytes of heap per rank, including the thread and the unread
   * messages of the rank.
   */
  long perRank() {
    return Math.max(0, after - before) / ranks;
  }
}
