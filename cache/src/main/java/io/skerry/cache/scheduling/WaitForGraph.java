package io.skerry.cache.scheduling;

import io.skerry.cache.jfr.CacheEvents;
import io.skerry.cache.jfr.CacheEvents.Reason;
import io.skerry.cache.scheduling.RequestOrder.Ticket;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * Records which threads wait for which requests to the datasets of one file, and detects deadlocks
 * of threads that hold one request and make another one.
 *
 * <p>A thread waits for one ticket at a time, and a ticket belongs to one thread. Therefore, the
 * requests for which a thread waits, directly or indirectly, form a chain and not a tree. A
 * deadlock is a chain that returns to its first thread. The last thread that starts to wait
 * completes the cycle. That thread follows the chain while it holds the lock under which it
 * registers itself.
 *
 * <p>In a deadlock, at least one thread waits in one request while another thread waits for a
 * different request that the first thread holds. Otherwise, every thread would wait for an earlier
 * request to the same dataset, which cannot form a cycle. The request in which that first thread
 * waits is refused. The thread that completed the cycle may be a different thread, and may hold no
 * other request.
 */
public final class WaitForGraph {
  private final Map<Thread, Wait> waiting = new HashMap<>();
  private final CacheEvents events;

  public WaitForGraph(CacheEvents events) {
    this.events = events;
  }

  /** Creates a graph that records waits without a file name. */
  public WaitForGraph() {
    this(new CacheEvents(""));
  }

  /**
   * Waits until another request has ended.
   *
   * @param request the request of the calling thread
   * @param other the request to wait for
   * @throws IllegalStateException if the wait was refused because it is part of a deadlock
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  void await(Ticket request, Ticket other) throws InterruptedException {
    Wait wait = new Wait(request, other);
    other.whenEnded(wait.over::countDown);
    enter(wait);
    try (var _ = events.waiting(Reason.ORDER, request::toString)) {
      wait.over.await();
    } finally {
      leave(wait);
    }
    if (wait.refused) {
      throw new IllegalStateException(
          "the thread would wait for its own request: refused=" + request + " waitsFor=" + other);
    }
  }

  private synchronized void enter(Wait wait) {
    waiting.put(wait.thread(), wait);
    deadlocked(wait).ifPresent(Wait::refuse);
  }

  private synchronized void leave(Wait wait) {
    waiting.remove(wait.thread());
  }

  /**
   * Returns the wait that must be refused if the chain that starts at a new wait is a deadlock;
   * otherwise empty.
   */
  private Optional<Wait> deadlocked(Wait first) {
    Optional<Wait> toRefuse = Optional.empty();
    Ticket current = first.other;
    while (!current.hasEnded()) {
      Wait next = waiting.get(current.owner());
      if (next == null || next.isOver()) {
        break;
      }
      if (!next.request.equals(current)) {
        toRefuse = Optional.of(next);
      }
      if (next.equals(first)) {
        return toRefuse;
      }
      current = next.other;
    }
    return Optional.empty();
  }

  /** The wait of one thread for a request. */
  private static final class Wait {
    private final Ticket request;
    private final Ticket other;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean refused;

    Wait(Ticket request, Ticket other) {
      this.request = request;
      this.other = other;
    }

    Thread thread() {
      return request.owner();
    }

    /** Returns whether the wait has ended; the thread may not have woken up yet. */
    boolean isOver() {
      return over.getCount() == 0;
    }

    void refuse() {
      refused = true;
      over.countDown();
    }
  }
}
