package io.skerry.cache.scheduling;

import io.skerry.cache.RequestInterruptedException;
import io.skerry.selection.Selection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The order of the requests to one dataset: the serialisation module of the shared chunk cache
 * (seed "shared chunk cache", section 5.2). A request waits for all earlier unfinished requests
 * that have an element in common with it if at least one of the two writes. All others run side by
 * side. Safe for any number of threads.
 *
 * <p><b>Fairness.</b> A request waits only for those that had arrived before it, so none can be
 * overtaken by one that it conflicts with, and among threads that hold one request each there is no
 * circle of waiting. A thread that holds a request and asks for another, of this or of another
 * dataset of the file, may close such a circle: it is refused ({@link IllegalStateException}). Who
 * needs requests of several datasets at once asks for them in the order of their addresses, and is
 * never refused. Requests come before grants of {@link Admission}: whoever holds a grant must not
 * wait here.
 *
 * <p><b>Cost.</b> Under the lock requests are compared by their boxes only. Whether two selections
 * really meet is found out by the thread that arrives, outside the lock: a selection of a million
 * points keeps nobody waiting but who has brought it or lies in the middle of it.
 *
 * <p><b>Memory.</b> What a thread did before it closed its ticket happens-before the return of
 * {@code enter} in every thread that waited for the ticket, or had found it closed.
 *
 * <h2>Reads without a ticket</h2>
 *
 * {@link #stamp} is even while there is no writer, waiting or running, and odd while there is one;
 * it never returns to an even number that it has left. So a reader may do without a ticket:
 *
 * <pre>{@code
 * long stamp = order.stamp();
 * versions = ...              // volatile reads of immutable versions of one or many chunks
 * if (order.validate(stamp))  // even, and still the same
 *   ...                       // the versions may be used; else enter(selection, READ)
 * }</pre>
 *
 * <p>A writer makes the stamp odd when it arrives, before it publishes any version, and the stamp
 * is even again only after it has published all and closed its ticket; all are volatile accesses,
 * which have one order that every thread agrees on. If the stamp was even before the versions were
 * read and is the same after, no writer existed at any moment in between: each writer had closed
 * its ticket before, and all its versions are seen, or arrives later, and none is. The dataset
 * stood still, and the read takes effect at any of these moments, say at the read of its first
 * version. The versions cannot change under the reader, so it may copy from them after the second
 * look at the stamp, even while a writer is at work already.
 *
 * <p>The second look is needed even if only one chunk is read. With the first alone all is well as
 * long as every write lies in one chunk, or one writer runs at a time. But let two writers V and W
 * of disjoint elements run side by side, both with parts in chunks a and b, and two readers have
 * seen the even stamp before either arrived. V publishes in a, W publishes in b, each reader reads
 * its chunk now, V publishes in b and W in a. The reader of a has seen V and not W, the reader of b
 * has seen W and not V: there is no order of V and W that explains both. (Each read for itself
 * would pass for one that takes effect at its first stamp or right after the writer it has seen;
 * only together they do not.)
 *
 * <p>A read that has to go to the file needs a ticket in any case: the place of a chunk may be
 * given to another as soon as a writer is admitted, while a version in memory stays what it is.
 */
public final class RequestOrder {
  private final String dataset;
  private final int rank;
  private final WaitForGraph waits;

  /** Unfinished requests in order of arrival; guarded by itself, as are the fields below. */
  private final Set<Ticket> unfinished = new LinkedHashSet<>();

  private long arrived;
  private int writers;
  private volatile long stamp;
  private volatile boolean ended;

  /** What a request does to its selection. */
  public enum Kind {
    /** Looks only. */
    READ,
    /** Changes elements, or what can be said of them. */
    WRITE
  }

  /**
   * @param dataset its name, for messages
   * @param rank number of dimensions of the dataset
   * @param waits shared by all datasets of a file
   */
  public RequestOrder(String dataset, int rank, WaitForGraph waits) {
    this.dataset = dataset;
    this.rank = rank;
    this.waits = waits;
  }

  /**
   * Lets a request to some elements wait until it may run. It runs until the ticket is closed, by
   * the calling thread, to which it belongs.
   *
   * @param selection what is touched; "all" and unlimited patterns as they are, whatever the extent
   * @throws IllegalArgumentException if the selection is of another rank
   * @throws IllegalStateException if the calling thread would wait for a request that it holds
   *     itself, or if the dataset was deleted meanwhile; the new one has left again
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
   * The same for a request that touches the dataset as a whole: it meets every other one, even for
   * no element. A change of the extent and a deletion write, a flush that changes nothing that can
   * be read only reads.
   *
   * @throws IllegalStateException as {@link #enter(Selection, Kind)}
   * @throws RequestInterruptedException as {@link #enter(Selection, Kind)}
   */
  public Ticket enterAll(Kind kind) {
    return enter(new Footprint.Whole(), kind);
  }

  /** The same for who keeps all requests away and wants nothing of the dataset itself. */
  public Ticket enterAllUninterruptibly(Kind kind) {
    return await(new Footprint.Whole(), kind);
  }

  /**
   * The dataset is deleted. Whoever waits for his turn, or comes later, is refused: by then another
   * dataset may have its identity, and he would read and write that one's chunks. Called by who
   * keeps all requests away.
   */
  public void end() {
    ended = true;
  }

  private Ticket enter(Footprint footprint, Kind kind) {
    Ticket ticket = await(footprint, kind);
    if (ended) {
      ticket.close();
      throw new IllegalStateException("a dataset that was deleted: dataset=" + dataset);
    }
    return ticket;
  }

  private Ticket await(Footprint footprint, Kind kind) {
    Ticket ticket = new Ticket(footprint, kind);
    List<Ticket> ahead = arrive(ticket);
    boolean admitted = false;
    try {
      for (Ticket earlier : ahead) {
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

  /** Takes a place at the end; returns whom it may have to wait for, as far as boxes tell. */
  private List<Ticket> arrive(Ticket ticket) {
    synchronized (unfinished) {
      List<Ticket> ahead = unfinished.stream().filter(ticket::mayConflict).toList();
      ticket.number = ++arrived;
      unfinished.add(ticket);
      if (ticket.kind == Kind.WRITE) {
        stamp += writers == 0 ? 1 : 2;
        writers++;
      }
      return ahead;
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
   * Even while no request that writes exists, waiting or running, else odd. Each arrival of one
   * makes a number that was never there before. A single volatile read.
   */
  public long stamp() {
    return stamp;
  }

  /** Returns whether there was no writer when the stamp was taken, and none has arrived since. */
  public boolean validate(long taken) {
    return (taken & 1) == 0 && taken == stamp;
  }

  /** Number of requests that wait or run. */
  public int unfinished() {
    synchronized (unfinished) {
      return unfinished.size();
    }
  }

  /** A request that has its place in the order, to be closed by the thread that entered. */
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

    /** Place in the order of arrival, from 1. */
    long number() {
      return number;
    }

    boolean hasEnded() {
      return end.isDone();
    }

    /** Runs something short when the request ends, or now if it has. */
    void whenEnded(Runnable action) {
      end.thenRun(action);
    }

    /** Ends the request: who waited for it may go on. Has no effect the second time. */
    @Override
    public void close() {
      leave(this);
    }

    /** As {@code request 7 (READ) of /a}. */
    @Override
    public String toString() {
      return "request " + number + " (" + kind + ") of " + dataset;
    }
  }
}
