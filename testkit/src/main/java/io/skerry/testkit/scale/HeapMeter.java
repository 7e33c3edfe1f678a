package io.skerry.testkit.scale;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * Measures what ranks hold when all have come to the same point and none has let go of anything.
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

  /** Waits for all ranks; what the caller refers to is measured. */
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

  /** Bytes of the heap per rank, with its thread and the mail that it has not read. */
  long perRank() {
    return Math.max(0, after - before) / ranks;
  }
}
