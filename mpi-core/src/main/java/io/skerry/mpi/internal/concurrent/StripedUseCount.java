package io.skerry.mpi.internal.concurrent;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts who is inside something that is going to be closed, so that it is closed when all are out:
 * a file descriptor, say, whose number may belong to another file a moment later.
 *
 * <p>Coming and going takes no lock and allocates nothing. Threads count in different places, 128
 * bytes apart, so that they seldom write to the same line of a processor's cache; who asks whether
 * anybody is inside has to look at all places.
 *
 * <p>Why nobody is overlooked: a visitor counts itself and then looks whether the doors are closed;
 * who closes them does so and then looks at the counts. All four are volatile accesses, which all
 * threads see in one order, so that at least one of the two sees the other. A place that was empty
 * once the doors were closed may be counted up again only by a visitor that is sent away.
 */
public final class StripedUseCount {
  /** Longs between two places. */
  private static final int APART = 16;

  private final AtomicLongArray counts;
  private final int places;
  private volatile boolean closed;
  private volatile Optional<Thread> waiting = Optional.empty();

  /** Nobody is inside. */
  public StripedUseCount() {
    // As many places as threads would make two threads of two share one half of the time, and wait
    // for each other at every visit.
    int threads = Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 32);
    this.places = Integer.highestOneBit(16 * threads - 1);
    this.counts = new AtomicLongArray((places + 1) * APART);
  }

  /**
   * The calling thread comes in, if the doors are open; then it has to {@link #leave}, in a {@code
   * finally}. A thread may be inside several times.
   *
   * @return whether it is inside
   */
  public boolean enter() {
    counts.getAndIncrement(place());
    if (closed) {
      leave();
      return false;
    }
    return true;
  }

  /** The calling thread, which came in, goes out again. */
  public void leave() {
    counts.getAndDecrement(place());
    if (closed) {
      waiting.ifPresent(LockSupport::unpark);
    }
  }

  /** Where the calling thread counts: the same place each time, so that no count is negative. */
  private int place() {
    long mixed = Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L;
    return ((int) (mixed >>> 40) & (places - 1)) * APART + APART;
  }

  /**
   * Lets nobody in any more, and returns when everybody is out. An interrupt does not end the
   * waiting; it stays set. A thread that is inside itself would wait for ever.
   */
  public synchronized void close() {
    waiting = Optional.of(Thread.currentThread());
    closed = true;
    boolean interrupted = false;
    while (anybodyInside()) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    waiting = Optional.empty();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean anybodyInside() {
    for (int place = 0; place < places; place++) {
      if (counts.get((place + 1) * APART) != 0) {
        return true;
      }
    }
    return false;
  }
}
