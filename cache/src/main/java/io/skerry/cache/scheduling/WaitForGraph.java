package io.skerry.cache.scheduling;

import io.skerry.cache.jfr.CacheEvents;
import io.skerry.cache.jfr.CacheEvents.Reason;
import io.skerry.cache.scheduling.RequestOrder.Ticket;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * Which thread waits for which request, over all datasets of a file, so that a thread that holds
 * one request and asks for another hears of a deadlock instead of being part of it.
 *
 * <p>A thread waits for one ticket at a time, and a ticket belongs to one thread: what a thread
 * waits for, directly or not, is a chain and not a tree. A deadlock is a chain that comes back to
 * its first thread. It is closed by whoever begins to wait last, and that one looks along it under
 * the lock under which it enters itself. Only threads that have to wait come here.
 *
 * <p>In a deadlock some thread waits with one request although another that it holds is waited for:
 * if all waited with the one that is waited for, each would wait for an earlier one of the same
 * dataset, all around. Such a thread is refused. It need not be the one that came last, which may
 * hold nothing else.
 */
public final class WaitForGraph {
  private final Map<Thread, Wait> waiting = new HashMap<>();
  private final CacheEvents events;

  public WaitForGraph(CacheEvents events) {
    this.events = events;
  }

  /** Nobody watches. */
  public WaitForGraph() {
    this(new CacheEvents(""));
  }

  /**
   * Waits until a request has ended.
   *
   * @param request with which the calling thread waits
   * @throws IllegalStateException if the other one cannot end before something does that the
   *     calling thread holds
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
          "this thread holds what it would wait for: refused=" + request + " waitsFor=" + other);
    }
  }

  private synchronized void enter(Wait wait) {
    waiting.put(wait.thread(), wait);
    deadlocked(wait).ifPresent(Wait::refuse);
  }

  private synchronized void leave(Wait wait) {
    waiting.remove(wait.thread());
  }

  /** One that has to be refused because the chain from a new one comes back to it. */
  private Optional<Wait> deadlocked(Wait first) {
    Optional<Wait> culprit = Optional.empty();
    Ticket ahead = first.other;
    while (!ahead.hasEnded()) {
      Wait next = waiting.get(ahead.owner());
      if (next == null || next.isOver()) {
        break;
      }
      if (!next.request.equals(ahead)) {
        culprit = Optional.of(next);
      }
      if (next.equals(first)) {
        return culprit;
      }
      ahead = next.other;
    }
    return Optional.empty();
  }

  /** A thread that waits. */
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

    /** Returns whether it has only not woken up yet. */
    boolean isOver() {
      return over.getCount() == 0;
    }

    void refuse() {
      refused = true;
      over.countDown();
    }
  }
}
