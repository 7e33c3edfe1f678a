package io.skerry.mpi.internal.concurrent;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Reports operations that hang. If the rank has been in one operation for longer than a limit, the
 * watchdog prints a line to a stream, and again after two, four, eight, ... times the limit:
 *
 * <pre>rank=3 operation=write dataset=/entry/hits sequence=17 seconds=30</pre>
 *
 * <p>Created and closed by the owner of the communicator. A watchdog does not call MPI. It has one
 * daemon thread, unless it was created by {@link #nested}. Operations may be nested; the innermost
 * one is reported. After a nested operation has ended, the outer one is reported again as if it had
 * not been reported before. {@link #enter} and {@link #leave} are called by one thread.
 */
public final class Watchdog implements AutoCloseable {
  private static final Duration DEFAULT_LIMIT = Duration.ofSeconds(30);

  private enum Reports {
    PRINTED,
    NONE
  }

  private record Entry(String operation, String dataset, long sequence, long started) {}

  private final int rank;
  private final PrintStream out;
  private final long limitNanos;
  private final Deque<Entry> entries = new ArrayDeque<>();
  private long reportAfterNanos;
  private boolean closed;

  /** Creates a watchdog with the default limit of 30 s. */
  public Watchdog(int rank, PrintStream out) {
    this(rank, out, DEFAULT_LIMIT);
  }

  /**
   * Creates a watchdog.
   *
   * @param rank the rank, for reports
   * @param out the stream for reports
   * @param limit the duration of an operation before the first report; must be positive
   */
  public Watchdog(int rank, PrintStream out, Duration limit) {
    this(rank, out, limit, Reports.PRINTED);
  }

  private Watchdog(int rank, PrintStream out, Duration limit, Reports reports) {
    if (!limit.isPositive()) {
      throw new IllegalArgumentException("the limit must be positive: limit=" + limit);
    }
    this.rank = rank;
    this.out = out;
    this.limitNanos = limit.toNanos();
    if (reports == Reports.PRINTED) {
      Thread.ofPlatform().daemon().name("skerry-watchdog-" + rank).start(this::watch);
    }
  }

  /**
   * Returns a watchdog that reports nothing and has no thread, for operations inside an operation
   * that another watchdog reports.
   */
  public static Watchdog nested(int rank, PrintStream out) {
    return new Watchdog(rank, out, DEFAULT_LIMIT, Reports.NONE);
  }

  /**
   * Records that the rank enters an operation; pair with {@link #leave} in a {@code finally} block.
   *
   * @param operation the name of the operation, for reports
   * @param dataset the path of the dataset, for reports
   * @param sequence the sequence number of the operation, for reports
   */
  public synchronized void enter(String operation, String dataset, long sequence) {
    entries.push(new Entry(operation, dataset, sequence, System.nanoTime()));
    reportAfterNanos = limitNanos;
  }

  /**
   * Records that the rank leaves the operation entered last.
   *
   * @throws IllegalStateException if the rank is not inside an operation
   */
  public synchronized void leave() {
    if (entries.isEmpty()) {
      throw new IllegalStateException("leave without enter: rank=" + rank);
    }
    entries.pop();
    reportAfterNanos = limitNanos;
  }

  /** Ends the watchdog's thread. */
  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }

  private void watch() {
    long pollMillis = Math.clamp(limitNanos / 4_000_000, 1, 1000);
    while (stillOpenAfter(pollMillis)) {
      try {
        report();
      } catch (OutOfMemoryError e) {
        // The rank's own thread reports the lack of memory; this thread must neither end nor
        // print a stack trace.
      }
    }
  }

  private void report() {
    // Printed outside the lock, so that a blocked stream does not block the rank.
    due()
        .ifPresent(line -> {
          out.println(line);
          out.flush();
        });
  }

  @SuppressWarnings("WaitNotInLoop") // after a spurious wakeup the caller waits again
  private synchronized boolean stillOpenAfter(long millis) {
    if (!closed) {
      try {
        wait(millis);
      } catch (InterruptedException e) {
        return false;
      }
    }
    return !closed;
  }

  private synchronized Optional<String> due() {
    if (entries.isEmpty()) {
      return Optional.empty();
    }
    var entry = entries.peek();
    long inside = System.nanoTime() - entry.started();
    if (inside < reportAfterNanos) {
      return Optional.empty();
    }
    while (reportAfterNanos <= inside) {
      reportAfterNanos *= 2;
    }
    return Optional.of(
        "rank=%d operation=%s dataset=%s sequence=%d seconds=%d"
            .formatted(
                rank,
                entry.operation(),
                entry.dataset(),
                entry.sequence(),
                inside / 1_000_000_000));
  }
}
