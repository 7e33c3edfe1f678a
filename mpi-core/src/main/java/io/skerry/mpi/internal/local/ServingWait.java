package io.skerry.mpi.internal.local;

import io.skerry.mpi.internal.base.WaitLimit;
import java.util.concurrent.locks.LockSupport;

/**
 * A wait during which a rank runs its waiting actions. The rank polls, so the scheduler counts it
 * as running; afterwards, the rank enters the ordinary wait, which detects deadlocks.
 *
 * @param caller the rank that waits
 * @param group the ranks of its communicator
 * @param round the call in which it waits
 */
record ServingWait(LocalCommunicator caller, LocalGroup group, CollectiveRound round) {
  private static final long YIELD_NANOS = 2_000_000;
  private static final long SHORT_WAIT_NANOS = 1_000_000_000;
  private static final long SHORT_NAP_NANOS = 20_000;
  private static final long LONG_NAP_NANOS = 500_000;

  /**
   * Waits until all ranks have arrived, one of them can no longer arrive, the world is poisoned, or
   * the time limit has expired.
   */
  void run(WaitLimit patience) {
    long started = System.nanoTime();
    long now = started;
    long active = started;
    while (isAwaited() && now - started <= patience.nanos()) {
      now = System.nanoTime();
      if (caller.serveOthers()) {
        active = now;
      }
      long idle = now - active;
      if (idle < YIELD_NANOS) {
        Thread.yield();
      } else {
        LockSupport.parkNanos(idle < SHORT_WAIT_NANOS ? SHORT_NAP_NANOS : LONG_NAP_NANOS);
      }
      caller.scheduler().point(caller, LocalCommunicator.BEGIN);
    }
  }

  private boolean isAwaited() {
    synchronized (caller.scheduler()) {
      boolean isAwaited = false;
      for (int rank = 0; rank < group.size(); rank++) {
        if (!round.has(rank)) {
          if (caller.scheduler().isFinished(group.worldRank(rank))) {
            return false;
          }
          isAwaited = true;
        }
      }
      return isAwaited && !caller.scheduler().poisoned();
    }
  }
}
