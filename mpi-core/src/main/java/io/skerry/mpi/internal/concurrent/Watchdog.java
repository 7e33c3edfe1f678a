package io.skerry.mpi.internal.concurrent;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Reports operations that hang. If the rank has been in one operation for longer than a limit, the
 * watchdog prints a line to a stream, and again after two, four, eight, ... times the limit:
 *
 * <pre>rank=3 operation=write dataset=/entry/hits sequence=17 seconds=30</pre>
 *
 * <p>Created and closed by the owner of the communicator. A watchdog does not call MPI. Operations
 * may be nested; the innermost one is reported. After a nested operation has ended, the outer one
 * is reported again as if it had not been reported before. {@link #enter} and {@link #leave} are
 * called by one thread.
 *
 * <p>A watchdog has no thread of its own, since starting a thread would take a large part of the
 * time needed to open a small file. While the rank is in an operation, the timer thread that all
 * {@link CompletableFuture}s of the JVM share checks the operation. The interval of the checks is a
 * quarter of the limit, but at least 1 ms and at most 1 s. Each report is printed by a new daemon
 * thread, so that a blocked stream delays neither the rank nor the timer; until the line is
 * printed, there are no further reports. The timer does not refer to a watchdog that is closed, and
 * one interval after the last operation, it does not refer to an open watchdog either.
 */
public final class Watchdog implements AutoCloseable {
  private static final Duration DEFAULT_LIMIT = Duration.ofSeconds(30);

  /** The timer of {@link #nested}: an operation that is never checked is never reported. */
  private static final Timer NEVER = (_, _) -> {};

  /** Completes a future after a delay, unless it has been completed earlier. */
  @FunctionalInterface
  interface Timer {
    void complete(CompletableFuture<Void> future, long delayMillis);
  }

  private record Entry(String operation, String dataset, long sequence, long started) {}

  private final int rank;
  private final PrintStream out;
  private final long limitNanos;
  private final long pollMillis;
  private final Timer timer;
  private final Deque<Entry> entries = new ArrayDeque<>();

  /** The future whose completion runs the next check; empty if no check is scheduled. */
  private Optional<CompletableFuture<Void>> scheduled = Optional.empty();

  private long reportAfterNanos;
  private boolean printing;
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
    this(rank, out, limit, Watchdog::completeLater);
  }

  /**
   * Creates a watchdog with a timer other than that of the JVM.
   *
   * @param timer the timer that completes futures; may throw an {@link OutOfMemoryError}
   */
  Watchdog(int rank, PrintStream out, Duration limit, Timer timer) {
    if (!limit.isPositive()) {
      throw new IllegalArgumentException("the limit must be positive: limit=" + limit);
    }
    this.rank = rank;
    this.out = out;
    this.limitNanos = limit.toNanos();
    this.pollMillis = Math.clamp(limitNanos / 4_000_000, 1, 1000);
    this.timer = timer;
  }

  /**
   * Returns a watchdog that reports nothing and uses no timer, for operations inside an operation
   * that another watchdog reports.
   */
  public static Watchdog nested(int rank, PrintStream out) {
    return new Watchdog(rank, out, DEFAULT_LIMIT, NEVER);
  }

  private static void completeLater(CompletableFuture<Void> future, long delayMillis) {
    future.completeOnTimeout(null, delayMillis, TimeUnit.MILLISECONDS);
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
    watchInnermost();
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
    watchInnermost();
  }

  /** Ends the reports. A line that is already being printed is completed. */
  @Override
  public synchronized void close() {
    closed = true;
    // An early completion removes the timer as a cancellation does, but creates no exceptions. The
    // check that it runs finds the watchdog closed.
    scheduled.ifPresent(check -> check.complete(null));
    scheduled = Optional.empty();
  }

  /** Returns whether this watchdog is closed and therefore makes no more reports. Thread-safe. */
  public synchronized boolean isClosed() {
    return closed;
  }

  private void watchInnermost() {
    reportAfterNanos = limitNanos;
    // In most calls, the check of an earlier operation is still scheduled.
    if (scheduled.isEmpty() && !entries.isEmpty()) {
      schedule();
    }
  }

  /**
   * Schedules a check. If this fails for lack of memory, the next {@link #enter} or {@link #leave}
   * tries again.
   */
  private void schedule() {
    if (closed) {
      return;
    }
    try {
      CompletableFuture<Void> next = new CompletableFuture<>();
      // The check is registered before the timer starts; otherwise, if the delay had already
      // elapsed, the calling thread would run it.
      var _ = next.thenRun(this::check);
      scheduled = Optional.of(next);
      timer.complete(next, pollMillis);
    } catch (OutOfMemoryError e) {
      // The operation of the rank does not depend on its watchdog, so it does not fail here.
      scheduled = Optional.empty();
    }
  }

  /** Reports the innermost operation if it is due. Must be short: runs on the timer thread. */
  private synchronized void check() {
    scheduled = Optional.empty();
    if (closed || entries.isEmpty()) {
      return;
    }
    schedule();
    try {
      reportIfDue();
    } catch (OutOfMemoryError e) {
      // The rank's own thread reports the lack of memory; the watchdog must neither end nor print
      // a stack trace. The next check tries to report the operation again.
    }
  }

  private void reportIfDue() {
    var entry = entries.element();
    long inside = System.nanoTime() - entry.started();
    if (printing || inside < reportAfterNanos) {
      return;
    }
    String line =
        "rank=%d operation=%s dataset=%s sequence=%d seconds=%d"
            .formatted(
                rank, entry.operation(), entry.dataset(), entry.sequence(), inside / 1_000_000_000);
    Thread.ofPlatform().daemon().name("skerry-watchdog-" + rank).start(() -> print(line));
    printing = true;
    while (reportAfterNanos <= inside) {
      reportAfterNanos *= 2;
    }
  }

  private void print(String line) {
    try {
      out.println(line);
      out.flush();
    } catch (OutOfMemoryError e) {
      // As in a check, the lack of memory is not reported here.
    } finally {
      printed();
    }
  }

  private synchronized void printed() {
    printing = false;
  }
}
