package io.skerry.cache.scheduling;

import io.skerry.cache.RequestInterruptedException;
import io.skerry.selection.Selection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The order of the requests to one dataset: the serialization module of the shared chunk cache (C.
 * Carper, J. Mainzer, "RFC: Shared Chunk Cache Design", 2025, section 5.2). A request waits for all
 * earlier unfinished requests that have an element in common with it if at least one of the two
 * writes. All other requests run concurrently. Thread-safe.
 *
 * <p><b>Fairness.</b> A request waits only for requests that arrived before it. Therefore, no
 * conflicting request overtakes it, and threads that hold one request each cannot deadlock. A
 * thread that holds a request and makes another request, to this or another dataset of the file,
 * may complete a deadlock; a request of such a thread is then refused with an {@link
 * IllegalStateException}. No request is refused if every thread that needs several datasets at once
 * makes its requests in the order of the dataset addresses, one for each dataset. A thread must
 * obtain its tickets before its grant of {@link Admission}: a thread that holds a grant must not
 * wait here.
 *
 * <p><b>Cost.</b> Under the lock, requests are compared by their bounding boxes only. The arriving
 * thread determines outside the lock whether two selections actually intersect. A selection of a
 * million points therefore delays only its own thread and conflicting requests within its bounding
 * box.
 *
 * <p><b>Memory model.</b> The actions of a thread before it closes its ticket happen-before the
 * return of {@code enter} in every thread that waited for the ticket or found it closed.
 *
 * <h2>Reads without a ticket</h2>
 *
 * {@link #stamp} is odd while there is a writer, waiting or running, and even otherwise. Once the
 * stamp has left an even value, that value never occurs again. A reader may therefore read without
 * a ticket:
 *
 * <pre>{@code
 * long stamp = order.stamp();
 * versions = ...              // volatile reads of immutable versions of some chunks
 * if (order.validate(stamp))  // even, and still the same
 *   ...                       // the versions may be used; else enter(selection, READ)
 * }</pre>
 *
 * <p>The stamp is odd as soon as a writer has arrived, before the writer publishes any version. The
 * stamp becomes even again only when the last writer, which has published all its versions, closes
 * its ticket. All of these are volatile accesses, which all threads observe in the same order. If
 * the stamp was even before the versions were read and is unchanged afterwards, no writer existed
 * at any moment in between: each writer either closed its ticket before, and all its versions are
 * visible, or arrives later, and none of them is. The dataset did not change, and the read takes
 * effect at any of these moments, for example at the read of its first version. Versions are
 * immutable, so the reader may copy from them after the second check of the stamp, even while a
 * writer is running.
 *
 * <p>The second check is necessary even if only one chunk is read. The first check alone would
 * suffice if every write were within one chunk, or if one writer ran at a time. Consider two
 * writers V and W of disjoint elements that run concurrently, both with parts in chunks a and b,
 * and two readers that read the even stamp before either writer arrived. V publishes in a, W
 * publishes in b, each reader reads its chunk, V publishes in b, and W in a. The reader of a has
 * seen V and not W, the reader of b has seen W and not V. No order of V and W explains both.
 *
 * <p>A read that accesses the file always needs a ticket: as soon as a writer is admitted, the
 * address of a chunk may be reused for another chunk, whereas a version in memory does not change.
 */
public final class RequestOrder {
  private final String dataset;
  private final int rank;
  private final WaitForGraph waits;

  /**
   * Unfinished requests in order of arrival. The monitor of this set guards the set, {@code
   * arrived} and {@code writers}, and is held while {@code stamp} changes.
   */
  private final Set<Ticket> unfinished = new LinkedHashSet<>();

  private long arrived;
  private int writers;
  private volatile long stamp;
  private volatile boolean ended;

  /** The kind of access that a request makes to its selection. */
  public enum Kind {
    /** Reads elements. */
    READ,
    /** Writes elements, or changes or deletes the dataset. */
    WRITE
  }

  /**
   * Creates an order without requests.
   *
   * @param dataset name of the dataset, for error messages
   * @param rank number of dimensions of the dataset
   * @param waits wait-for graph that all datasets of a file share
   */
  public RequestOrder(String dataset, int rank, WaitForGraph waits) {
    this.dataset = dataset;
    this.rank = rank;
    this.waits = waits;
  }

  /**
   * Waits until a request to access the given elements may run. The returned ticket belongs to the
   * calling thread, and the request runs until that thread closes the ticket.
   *
   * @param selection the elements; "all" and unlimited hyperslabs are passed without being clipped
   *     to the extent
   * @param kind the kind of access
   * @throws IllegalArgumentException if the rank of the selection differs from that of the dataset
   * @throws IllegalStateException if the calling thread would wait, directly or through other
   *     threads, for a request that it holds itself, or if the dataset was deleted; in both cases,
   *     the new request has been withdrawn
   * @throws RequestInterruptedException if the thread is interrupted while it waits
   */
  public Ticket enter(Selection selection, Kind kind) {
    int given = selection.rank().orElse(rank);
    if (given != rank) {
      throw new IllegalArgumentException(
          "rank of a selection: dataset=" + dataset + " selection=" + given + " extent=" + rank);
    }
    return enter(Footprint.of(selection), kind);
  }

  /**
   * Waits until a request to access the whole dataset may run. Such a request overlaps every other
   * request, even one without elements. Deletions and changes to the extent use {@code WRITE}; a
   * flush that does not change any readable data uses {@code READ}.
   *
   * @throws IllegalStateException in the same cases as {@link #enter(Selection, Kind)}
   * @throws RequestInterruptedException if the thread is interrupted while it waits
   */
  public Ticket enterAll(Kind kind) {
    return enter(new Footprint.Whole(), kind);
  }

  /**
   * Like {@link #enterAll}, but for callers that only block other requests. Does not fail if the
   * dataset was deleted.
   *
   * @throws IllegalStateException if the calling thread would wait, directly or through other
   *     threads, for a request that it holds itself
   * @throws RequestInterruptedException if the thread is interrupted while it waits
   */
  public Ticket blockAll(Kind kind) {
    return await(new Footprint.Whole(), kind);
  }

  /**
   * Ends the order because the dataset is deleted or no longer in use. From now on, {@link #enter}
   * and {@link #enterAll} fail, even for requests that are already waiting: another dataset may be
   * allocated at the same address, and these requests would access its chunks. No request of
   * another thread may be running.
   */
  public void end() {
    ended = true;
  }

  private Ticket enter(Footprint footprint, Kind kind) {
    Ticket ticket = await(footprint, kind);
    if (ended) {
      ticket.close();
      throw new IllegalStateException("the dataset was deleted: dataset=" + dataset);
    }
    return ticket;
  }

  private Ticket await(Footprint footprint, Kind kind) {
    Ticket ticket = new Ticket(footprint, kind);
    List<Ticket> earlierTickets = arrive(ticket);
    boolean admitted = false;
    try {
      for (Ticket earlier : earlierTickets) {
        if (!earlier.hasEnded() && footprint.meets(earlier.footprint)) {
          waits.await(ticket, earlier);
        }
      }
      admitted = true;
      return ticket;
    } catch (InterruptedException e) {
      throw new RequestInterruptedException(
          "interrupted while a request waited for earlier ones: dataset=" + dataset, e);
    } finally {
      if (!admitted) {
        ticket.close();
      }
    }
  }

  /**
   * Appends a request to the order.
   *
   * @return the earlier requests for which the new request may have to wait, judged by their
   *     bounding boxes
   */
  private List<Ticket> arrive(Ticket ticket) {
    synchronized (unfinished) {
      List<Ticket> earlierTickets = unfinished.stream().filter(ticket::mayConflict).toList();
      ticket.number = ++arrived;
      unfinished.add(ticket);
      if (ticket.kind == Kind.WRITE) {
        stamp += writers == 0 ? 1 : 2;
        writers++;
      }
      return earlierTickets;
    }
  }

  private void leave(Ticket ticket) {
    synchronized (unfinished) {
      if (unfinished.remove(ticket) && ticket.kind == Kind.WRITE) {
        writers--;
        stamp += writers == 0 ? 1 : 0;
      }
    }
    ticket.end.complete(null);
  }

  /**
   * Returns a number that is even while no write request exists, waiting or running, and odd
   * otherwise. Each arrival of a write request produces a new value. The call is a single volatile
   * read.
   */
  public long stamp() {
    return stamp;
  }

  /** Returns whether there was no writer when the stamp was read, and none has arrived since. */
  public boolean validate(long taken) {
    return (taken & 1) == 0 && taken == stamp;
  }

  /** Returns the number of requests that are waiting or running. */
  public int unfinished() {
    synchronized (unfinished) {
      return unfinished.size();
    }
  }

  /** A request in the order. Must be closed by the thread that made the request. */
  public final class Ticket implements AutoCloseable {
    private final Thread owner = Thread.currentThread();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final Footprint footprint;
    private final Kind kind;
    private long number;

    private Ticket(Footprint footprint, Kind kind) {
      this.footprint = footprint;
      this.kind = kind;
    }

    private boolean mayConflict(Ticket earlier) {
      return (kind == Kind.WRITE || earlier.kind == Kind.WRITE)
          && footprint.mayMeet(earlier.footprint);
    }

    Thread owner() {
      return owner;
    }

    /** Returns the number of the request in order of arrival, counted from 1. */
    long number() {
      return number;
    }

    boolean hasEnded() {
      return end.isDone();
    }

    /** Runs a short action when the request ends, or immediately if it has ended. */
    void whenEnded(Runnable action) {
      // The future that the call returns is not needed: callers do not wait for the action.
      var unused = end.thenRun(action);
    }

    /** Ends the request, so that requests waiting for it may run. A second call has no effect. */
    @Override
    public void close() {
      leave(this);
    }

    /** Returns a description of the request, such as {@code request 7 (READ) of /a}. */
    @Override
    public String toString() {
      return "request " + number + " (" + kind + ") of " + dataset;
    }
  }
}
