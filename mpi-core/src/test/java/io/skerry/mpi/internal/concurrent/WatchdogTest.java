package io.skerry.mpi.internal.concurrent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WatchdogTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, UTF_8);

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
  void misuse_is_refused() {
    try (var watchdog = new Watchdog(0, out)) {
      assertThrows(IllegalStateException.class, watchdog::leave);
    }
    assertThrows(IllegalArgumentException.class, () -> new Watchdog(0, out, Duration.ZERO));
  }
}
