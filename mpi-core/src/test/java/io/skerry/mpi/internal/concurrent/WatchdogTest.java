package io.skerry.mpi.internal.concurrent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WatchdogTest {
  /** The time in seconds for which a test waits for an event before it fails. */
  private static final int PATIENCE = 60;

  private static final Duration SHORT = Duration.ofMillis(10);
  private static final Duration LONG = Duration.ofHours(1);

  /** The timer of the JVM, with a delay that does not end during a test. */
  private static final Watchdog.Timer SLOW =
      (future, _) -> future.completeOnTimeout(null, 1, TimeUnit.HOURS);

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, UTF_8);

  /** A stream that keeps its lines and the threads that print them. */
  private static class RecordingStream extends PrintStream {
    final BlockingQueue<Thread> printers = new LinkedBlockingQueue<>();
    final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    RecordingStream() {
      super(OutputStream.nullOutputStream(), true, UTF_8);
    }

    @Override
    public void println(String line) {
      printers.add(Thread.currentThread());
      lines.add(line);
    }

    /** Waits until a thread prints a line, but not for the end of that thread; returns the line. */
    String nextLine() throws InterruptedException {
      String line = lines.poll(PATIENCE, TimeUnit.SECONDS);
      assertNotNull(line, "no report");
      return line;
    }

    /** Waits for a report and for the end of the thread that prints it, and returns the thread. */
    Thread nextPrinter() throws InterruptedException {
      Thread printer = printers.poll(PATIENCE, TimeUnit.SECONDS);
      assertNotNull(printer, "no report");
      assertTrue(printer.join(Duration.ofSeconds(PATIENCE)), "the thread does not end");
      return printer;
    }
  }

  /** A stream that does not return from printing until it is released. */
  private static final class BlockedStream extends RecordingStream {
    private final CountDownLatch released = new CountDownLatch(1);

    @Override
    public void println(String line) {
      super.println(line);
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    void release() {
      released.countDown();
    }
  }

  /** A stream that has no memory for any line. */
  private static final class ExhaustedStream extends RecordingStream {
    private final BlockingQueue<Throwable> uncaught = new LinkedBlockingQueue<>();

    @Override
    public void println(String line) {
      Thread.currentThread().setUncaughtExceptionHandler((_, failure) -> uncaught.add(failure));
      super.println(line);
      throw new OutOfMemoryError("the test has no memory");
    }
  }

  /** A timer whose futures the test completes. */
  private static final class ManualTimer implements Watchdog.Timer {
    private final List<CompletableFuture<Void>> futures = new ArrayList<>();
    private final List<Long> delays = new ArrayList<>();
    private boolean exhausted;

    @Override
    public void complete(CompletableFuture<Void> future, long delayMillis) {
      if (exhausted) {
        throw new OutOfMemoryError("the test has no memory");
      }
      futures.add(future);
      delays.add(delayMillis);
    }

    /** Runs the check that was scheduled last. */
    void elapse() {
      assertTrue(futures.getLast().complete(null), "no check is scheduled");
    }
  }

  @Test
  void a_long_operation_is_reported_at_doubling_intervals_with_the_innermost_name()
      throws Exception {
    try (var watchdog = new Watchdog(3, out, Duration.ofMillis(40))) {
      watchdog.enter("close", "-", 7);
      watchdog.enter("write", "/entry/hits", 17);
      Thread.sleep(500);
      watchdog.leave();
      watchdog.leave();
    }
    var lines = bytes.toString(UTF_8).lines().toList();
    assertEquals("rank=3 operation=write dataset=/entry/hits sequence=17 seconds=0", lines.get(0));
    assertTrue(lines.size() >= 2 && lines.size() <= 4, lines.toString());
  }

  @Test
  void short_operations_and_idle_time_are_not_reported() throws Exception {
    try (var watchdog = new Watchdog(0, out, Duration.ofMillis(400))) {
      for (int i = 0; i < 10; i++) {
        watchdog.enter("write", "/a", i);
        Thread.sleep(60);
        watchdog.leave();
      }
    }
    assertEquals("", bytes.toString(UTF_8));
  }

  @Test
  void an_operation_is_reported_without_delay_after_one_nested_in_it() throws Exception {
    RecordingStream stream = new RecordingStream();
    ManualTimer timer = new ManualTimer();
    try (var watchdog = new Watchdog(0, stream, Duration.ofMillis(200), timer)) {
      watchdog.enter("close", "-", 1);
      watchdog.enter("write", "/a", 2);
      Thread.sleep(220);
      timer.elapse();
      stream.nextPrinter();
      watchdog.leave();
      // The second report of the nested operation would be due after 400 ms.
      timer.elapse();
      stream.nextPrinter();
    }
    assertEquals(
        List.of("close", "write"),
        stream.lines.stream().map(line -> line.split("[ =]")[3]).sorted().toList());
  }

  @Test
  void misuse_is_refused() {
    try (var watchdog = new Watchdog(0, out)) {
      assertThrows(IllegalStateException.class, watchdog::leave);
    }
    assertThrows(IllegalArgumentException.class, () -> new Watchdog(0, out, Duration.ZERO));
  }

  @Test
  void no_report_follows_the_one_that_is_printed_while_the_watchdog_is_closed() throws Exception {
    BlockedStream stream = new BlockedStream();
    try {
      var watchdog = new Watchdog(0, stream, SHORT);
      watchdog.enter("write", "/a", 1);
      stream.nextLine();
      // Reports are due after 20, 40 and 80 ms, but the first one is still being printed.
      Thread.sleep(100);
      assertEquals(0, stream.lines.size(), stream.lines.toString());
      assertFalse(watchdog.isClosed());
      watchdog.close();
      assertTrue(watchdog.isClosed());
    } finally {
      stream.release();
    }
    // A watchdog that is not closed reports the operation again within this time.
    Thread.sleep(300);
    assertEquals(0, stream.lines.size(), stream.lines.toString());
  }

  private static void continueOn(Watchdog rank) {
    rank.leave();
    rank.enter("read", "/b", 2);
    rank.leave();
  }

  @Test
  void a_blocked_stream_delays_neither_its_rank_nor_other_watchdogs() throws Exception {
    BlockedStream blocked = new BlockedStream();
    RecordingStream other = new RecordingStream();
    try (var stuck = new Watchdog(1, blocked, SHORT);
        var free = new Watchdog(2, other, SHORT)) {
      try {
        stuck.enter("write", "/a", 1);
        blocked.nextLine();
        CompletableFuture.runAsync(() -> continueOn(stuck)).get(PATIENCE, TimeUnit.SECONDS);
        free.enter("read", "/c", 3);
        other.nextLine();
        assertEquals(1, blocked.released.getCount());
      } finally {
        // Otherwise, a watchdog that holds its lock while it prints cannot be closed.
        blocked.release();
      }
    }
  }

  @Test
  void open_watchdogs_without_reports_have_no_threads() {
    int many = 32;
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    List<Watchdog> watchdogs = new ArrayList<>();
    try {
      for (int rank = 0; rank < many; rank++) {
        var watchdog = new Watchdog(rank, out);
        watchdogs.add(watchdog);
        watchdog.enter("read", "/a", 1);
      }
      Set<Thread> started = new HashSet<>(Thread.getAllStackTraces().keySet());
      started.removeAll(before);
      // The first watchdog may start the timer thread of the JVM, and JUnit may start threads too.
      assertTrue(started.size() < many / 2, started.toString());
    } finally {
      watchdogs.forEach(Watchdog::close);
    }
  }

  private static void assertCollected(WeakReference<Watchdog> watchdog)
      throws InterruptedException {
    for (int i = 0; i < 200 && watchdog.get() != null; i++) {
      System.gc();
      // The timer drops an open watchdog, and some collectors clear references, a little later.
      Thread.sleep(10);
    }
    assertNull(watchdog.get());
  }

  private WeakReference<Watchdog> closedInOperation() {
    var watchdog = new Watchdog(0, out, SHORT, SLOW);
    watchdog.enter("write", "/a", 1);
    watchdog.close();
    return new WeakReference<>(watchdog);
  }

  private WeakReference<Watchdog> openAfterOperation() {
    var watchdog = new Watchdog(0, out, SHORT);
    watchdog.enter("write", "/a", 1);
    watchdog.leave();
    return new WeakReference<>(watchdog);
  }

  @Test
  void the_timer_does_not_retain_a_closed_watchdog() throws Exception {
    assertCollected(closedInOperation());
  }

  @Test
  void the_timer_does_not_retain_an_open_watchdog_without_operations() throws Exception {
    assertCollected(openAfterOperation());
  }

  @Test
  void the_timer_runs_only_while_an_operation_is_open() {
    ManualTimer timer = new ManualTimer();
    var watchdog = new Watchdog(0, out, LONG, timer);
    assertEquals(0, timer.futures.size());
    watchdog.enter("write", "/a", 1);
    watchdog.leave();
    watchdog.enter("write", "/a", 2);
    assertEquals(1, timer.futures.size());
    timer.elapse();
    assertEquals(2, timer.futures.size());
    watchdog.leave();
    timer.elapse();
    assertEquals(2, timer.futures.size());
    watchdog.enter("write", "/a", 3);
    assertEquals(3, timer.futures.size());
    assertFalse(timer.futures.getLast().isDone());
    watchdog.close();
    assertTrue(timer.futures.getLast().isDone());
    watchdog.leave();
    watchdog.enter("write", "/a", 4);
    assertEquals(3, timer.futures.size());
  }

  private long pollMillis(Duration limit) {
    ManualTimer timer = new ManualTimer();
    try (var watchdog = new Watchdog(0, out, limit, timer)) {
      watchdog.enter("write", "/a", 1);
    }
    return timer.delays.getFirst();
  }

  @Test
  void an_operation_is_checked_every_quarter_of_the_limit_from_a_millisecond_to_a_second() {
    assertEquals(1, pollMillis(Duration.ofNanos(1)));
    assertEquals(10, pollMillis(Duration.ofMillis(40)));
    assertEquals(1000, pollMillis(LONG));
  }

  @Test
  void a_lack_of_memory_for_a_check_ends_neither_the_operation_nor_the_watchdog() throws Exception {
    RecordingStream stream = new RecordingStream();
    ManualTimer timer = new ManualTimer();
    try (var watchdog = new Watchdog(0, stream, Duration.ofNanos(1), timer)) {
      timer.exhausted = true;
      watchdog.enter("close", "-", 1);
      timer.exhausted = false;
      watchdog.enter("write", "/a", 2);
      assertEquals(1, timer.futures.size());
      timer.exhausted = true;
      timer.elapse();
      String line = stream.nextLine();
      assertTrue(line.startsWith("rank=0 operation=write dataset=/a sequence=2 "), line);
      timer.exhausted = false;
      watchdog.leave();
      assertEquals(2, timer.futures.size());
    }
  }

  @Test
  void a_lack_of_memory_for_a_line_prints_no_stack_trace_and_does_not_end_the_watchdog()
      throws Exception {
    ExhaustedStream stream = new ExhaustedStream();
    try (var watchdog = new Watchdog(5, stream, SHORT)) {
      watchdog.enter("write", "/a", 1);
      for (int report = 0; report < 2; report++) {
        Thread printer = stream.nextPrinter();
        assertEquals("skerry-watchdog-5", printer.getName());
        assertTrue(printer.isDaemon());
      }
    }
    assertEquals(0, stream.uncaught.size(), stream.uncaught.toString());
  }
}
