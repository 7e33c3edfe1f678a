package io.skerry.mpi.internal.concurrent;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts the uses of a resource, so that it is closed only when no thread uses it. An example is a
 * file descriptor, whose number may be reused for another file right after closing.
 *
 * <p>Entering and leaving need no lock and no allocation. Threads are spread over many counters,
 * 128 bytes apart, so that they seldom write to the same cache line; closing must read all
 * counters.
 *
 * <p>No user is missed: a thread increments its counter and then reads the closed flag; the closing
 * thread sets the flag and then reads the counters. All four are volatile accesses, which all
 * threads observe in one order, so at least one of the two threads sees the write of the other. A
 * counter that was zero after the flag was set can only be incremented again by a thread whose
 * entry is refused.
 */
public final class StripedUseCount {
  /** The distance between adjacent counters, in longs. */
  private static final int APART = 16;

  /**
   * The number of counters. With only one counter per processor, many threads would share a counter
   * and delay each other at every use.
   */
  private static final int PLACES =
      Integer.highestOneBit(16 * Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 32) - 1);

  private final AtomicLongArray counts;
  private volatile boolean closed;
  private volatile Optional<Thread> waiting = Optional.empty();

  /** Creates a use count of zero. */
  public StripedUseCount() {
    this.counts = new AtomicLongArray((PLACES + 1) * APART);
  }

  /**
   * Registers a use by the calling thread, unless this count is closed. A thread that has entered
   * must call {@link #leave}, in a {@code finally} block. A thread may enter several times.
   *
   * @return true if the thread has entered
   */
  public boolean enter() {
    counts.getAndIncrement(place());
    if (closed) {
      leave();
      return false;
    }
    return true;
  }

  /** Ends a use. Called by a thread that has entered. */
  public void leave() {
    counts.getAndDecrement(place());
    if (closed) {
      waiting.ifPresent(LockSupport::unpark);
    }
  }

  /**
   * Returns the index of the calling thread's counter, which is always the same, so that no counter
   * becomes negative.
   */
  private int place() {
    long mixed = Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L;
    return ((int) (mixed >>> 40) & (PLACES - 1)) * APART + APART;
  }

  /**
   * Refuses further entries, and returns when all threads have left. An interrupt does not end the
   * wait; the interrupt flag stays set. A thread that has entered must not call this method: it
   * would wait for itself forever.
   */
  public synchronized void close() {
    waiting = Optional.of(Thread.currentThread());
    closed = true;
    boolean interrupted = false;
    while (isUsed()) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    waiting = Optional.empty();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isUsed() {
    for (int place = 0; place < PLACES; place++) {
      if (counts.get((place + 1) * APART) != 0) {
        return true;
      }
    }
    return false;
  }
}
