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
 * Admits requests when the memory that they need is available: the resource allocation module of
 * the shared chunk cache (C. Carper, J. Mainzer, "RFC: Shared Chunk Cache Design", 2025, section
 * 5.2). A request is admitted when its bytes and those granted to other requests together fit
 * within the limit. A request larger than the limit waits until there is no other grant, and then
 * runs alone. Thread-safe.
 *
 * <p><b>Fairness.</b> Requests are examined in order of arrival. A small request may be admitted
 * before a large request that does not fit yet, but each request is overtaken at most {@value
 * #MOST_OVERTAKEN} times; after that no later request is admitted before it. Because every grant
 * ends, every request is eventually admitted.
 *
 * <p><b>Deadlock.</b> A thread can hold only one grant. A request for a second grant is refused,
 * because the thread might wait for itself. A thread that holds a grant must not wait in a {@link
 * RequestOrder}: threads acquire tickets before grants.
 */
public final class Admission {
  /** Maximum number of later requests that are admitted before a waiting request. */
  static final int MOST_OVERTAKEN = 16;

  /** Waiting requests in order of arrival. The monitor of this object guards the mutable fields. */
  private final List<Grant> waiting = new ArrayList<>();

  /** Threads that hold a grant. */
  private final Set<Thread> holders = new HashSet<>();

  private final CacheEvents events;
  private long limit;
  private long used;
  private boolean taken;
  private long waits;
  private long waitNanos;

  /**
   * Creates an admission module that records waits without a file name.
   *
   * @param limit maximum number of granted bytes; with 0, all requests except empty ones run one at
   *     a time
   * @throws IllegalArgumentException if the limit is negative
   */
  public Admission(long limit) {
    this(limit, new CacheEvents(""));
  }

  /** Creates an admission module that records waits in {@code events}. */
  public Admission(long limit, CacheEvents events) {
    this.events = events;
    limit(limit);
  }

  /**
   * Waits until there is memory for a request.
   *
   * @param bytes estimated maximum amount of memory that the request will use, in bytes
   * @return the grant, which belongs to the calling thread and holds the memory until that thread
   *     closes it
   * @throws IllegalArgumentException if the size is negative
   * @throws IllegalStateException if the calling thread already holds a grant
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

  /**
   * Admits waiting requests that fit, in order of arrival, up to the first that must not be
   * overtaken.
   */
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
      // A request that overtakes a waiting request also overtakes all requests before that
      // one, so the first request has been overtaken most often.
      if (!passed.isEmpty() && passed.getFirst().overtaken == MOST_OVERTAKEN) {
        return;
      }
    }
  }

  private boolean fits(Grant grant) {
    // The limit may have been lowered below the bytes in use; in this case, the difference is
    // negative.
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

  /** Returns the maximum number of granted bytes. */
  public synchronized long limit() {
    return limit;
  }

  /**
   * Changes the limit. Existing grants are kept, even if they exceed a lower limit. Waiting
   * requests are examined again.
   *
   * @throws IllegalArgumentException if the limit is negative
   */
  public synchronized void limit(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("limit of the chunk cache: limit=" + bytes + " least=0");
    }
    limit = bytes;
    admitWhoFits();
  }

  /** Returns the number of bytes that are currently granted. */
  public synchronized long used() {
    return used;
  }

  /** Returns the number of requests that had to wait, including those that are still waiting. */
  public synchronized long waits() {
    return waits;
  }

  /**
   * Returns the total time that requests have waited, in nanoseconds. Requests that are still
   * waiting are not included.
   */
  public synchronized long waitNanos() {
    return waitNanos;
  }

  /** Returns the number of waiting requests. */
  public synchronized int waiting() {
    return waiting.size();
  }

  private enum State {
    WAITING,
    RUNNING,
    ENDED
  }

  /** The memory granted to one request. Must be closed by the thread that was admitted. */
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

    /**
     * Returns the number of bytes granted: the requested size, or the limit at the time of
     * admission if that is smaller.
     */
    public long bytes() {
      return granted;
    }

    /** Returns whether the request runs alone because it exceeded the limit when admitted. */
    public boolean isAlone() {
      return alone;
    }

    /** Releases the granted memory. A second call has no effect. */
    @Override
    public void close() {
      end(this);
    }
  }
}
