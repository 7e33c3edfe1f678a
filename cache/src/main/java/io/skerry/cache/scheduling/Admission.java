package io.skerry.cache.scheduling;

import io.skerry.cache.RequestInterruptedException;
import io.skerry.cache.jfr.CacheEvents;
import io.skerry.cache.jfr.CacheEvents.Reason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * Who may use the memory of a file's chunk cache: the resource allocation module of the shared
 * chunk cache (seed "shared chunk cache", section 5.2). A request is admitted when the bytes it
 * asks for fit beside those that are granted. One that is larger than the limit waits until nobody
 * else is left, and runs alone. Safe for any number of threads.
 *
 * <p><b>Fairness.</b> Requests are looked at in order of arrival, and a small one may go before a
 * large one that does not fit yet; but each is overtaken {@value #MOST_OVERTAKEN} times at most,
 * after which nobody who came later is admitted before it. Grants end, so every request is admitted
 * sooner or later.
 *
 * <p><b>Deadlock.</b> A thread holds one grant at most: it might wait for itself otherwise, so the
 * second is refused. Whoever holds a grant must not wait for a {@link RequestOrder}: tickets come
 * first.
 */
public final class Admission {
  /** How many later requests may be admitted before one that waits. */
  static final int MOST_OVERTAKEN = 16;

  /** In order of arrival; guarded by this object, as is everything else. */
  private final List<Grant> waiting = new ArrayList<>();

  /** Threads that hold a grant, one each. */
  private final Set<Thread> holders = new HashSet<>();

  private final CacheEvents events;
  private long limit;
  private long used;
  private boolean taken;
  private long waits;
  private long waitNanos;

  /**
   * @param limit bytes to share out; 0 lets all requests but empty ones run one by one
   * @throws IllegalArgumentException if it is negative
   */
  public Admission(long limit) {
    this(limit, new CacheEvents(""));
  }

  /** The same, for those who watch. */
  public Admission(long limit, CacheEvents events) {
    this.events = events;
    limit(limit);
  }

  /**
   * Waits until there is room for a request.
   *
   * @param bytes what it will use at most, as far as can be told
   * @return what holds the room until it is closed, by the calling thread, to which it belongs
   * @throws IllegalArgumentException if the number is negative
   * @throws IllegalStateException if the calling thread holds a grant already
   * @throws RequestInterruptedException if the thread is interrupted while it waits
   */
  public Grant admit(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes of a request: bytes=" + bytes + " least=0");
    }
    Grant grant = new Grant(bytes);
    if (arrive(grant) == Arrival.MUST_WAIT) {
      await(grant);
    }
    return grant;
  }

  private enum Arrival {
    ADMITTED,
    MUST_WAIT
  }

  private synchronized Arrival arrive(Grant grant) {
    if (holders.contains(grant.owner)) {
      throw new IllegalStateException(
          "this thread holds a grant and must close it before it asks for another: asked="
              + grant.asked
              + " used="
              + used
              + " limit="
              + limit);
    }
    waiting.add(grant);
    admitWhoFits();
    if (grant.state == State.RUNNING) {
      return Arrival.ADMITTED;
    }
    waits++;
    return Arrival.MUST_WAIT;
  }

  private void await(Grant grant) {
    long begin = System.nanoTime();
    try (var _ = events.waiting(Reason.MEMORY, () -> grant.asked + " bytes")) {
      grant.admitted.await();
    } catch (InterruptedException e) {
      grant.close();
      throw new RequestInterruptedException(
          "interrupted while a request waited for memory of the chunk cache: bytes=" + grant.asked,
          e);
    } finally {
      waited(System.nanoTime() - begin);
    }
  }

  private synchronized void waited(long nanos) {
    waitNanos += nanos;
  }

  /** Looks at all that wait, in order of arrival, up to the first that must not be overtaken. */
  private void admitWhoFits() {
    List<Grant> passed = new ArrayList<>();
    Iterator<Grant> queue = waiting.iterator();
    while (queue.hasNext() && !taken) {
      Grant next = queue.next();
      if (fits(next)) {
        queue.remove();
        start(next);
        passed.forEach(grant -> grant.overtaken++);
      } else {
        passed.add(next);
      }
      // Whoever overtakes one that waits overtakes all before it: the first has the most.
      if (!passed.isEmpty() && passed.getFirst().overtaken == MOST_OVERTAKEN) {
        return;
      }
    }
  }

  private boolean fits(Grant grant) {
    // The limit may have fallen below what is used; the difference is negative then.
    return grant.asked > limit ? holders.isEmpty() : grant.asked <= limit - used;
  }

  private void start(Grant grant) {
    grant.state = State.RUNNING;
    grant.granted = Math.min(grant.asked, limit);
    grant.alone = grant.asked > limit;
    taken = grant.alone;
    used += grant.granted;
    holders.add(grant.owner);
    grant.admitted.countDown();
  }

  private synchronized void end(Grant grant) {
    switch (grant.state) {
      case WAITING -> waiting.remove(grant);
      case RUNNING -> {
        used -= grant.granted;
        taken = false;
        holders.remove(grant.owner);
      }
      case ENDED -> {
        return;
      }
    }
    grant.state = State.ENDED;
    admitWhoFits();
  }

  /** Bytes to share out. */
  public synchronized long limit() {
    return limit;
  }

  /**
   * Changes the limit. What is granted stays so, even beyond a lower limit; requests that wait are
   * looked at again.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public synchronized void limit(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("limit of the chunk cache: limit=" + bytes + " least=0");
    }
    limit = bytes;
    admitWhoFits();
  }

  /** Bytes that are granted now. */
  public synchronized long used() {
    return used;
  }

  /** Number of requests that had to wait, those that still do among them. */
  public synchronized long waits() {
    return waits;
  }

  /** Time for which requests have waited, in nanoseconds, without those that still do. */
  public synchronized long waitNanos() {
    return waitNanos;
  }

  /** Number of requests that wait now. */
  public synchronized int waiting() {
    return waiting.size();
  }

  private enum State {
    WAITING,
    RUNNING,
    ENDED
  }

  /** Room for one request, to be closed by the thread that was admitted. */
  public final class Grant implements AutoCloseable {
    private final Thread owner = Thread.currentThread();
    private final CountDownLatch admitted = new CountDownLatch(1);
    private final long asked;
    private State state = State.WAITING;
    private int overtaken;
    private long granted;
    private boolean alone;

    private Grant(long asked) {
      this.asked = asked;
    }

    /** What is granted: what was asked for, but never more than the limit of that moment. */
    public long bytes() {
      return granted;
    }

    /** Returns whether it asked for more than the limit and runs alone. */
    public boolean isAlone() {
      return alone;
    }

    /** Gives the room back. Has no effect the second time. */
    @Override
    public void close() {
      end(this);
    }
  }
}
