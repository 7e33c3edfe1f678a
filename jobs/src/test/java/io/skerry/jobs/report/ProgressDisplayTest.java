package io.skerry.jobs.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgressDisplayTest {
  @Test
  void rank_0_draws_a_bar_on_a_terminal() {
    String drawn = drawn(0, Map.of(ProgressDisplay.TERMINAL, "1"));
    assertTrue(drawn.contains("write") && drawn.contains("3/4"), drawn);
  }

  @Test
  void no_bar_is_drawn_without_a_terminal_or_on_other_ranks() {
    assertEquals("", drawn(0, Map.of()));
    assertEquals("", drawn(1, Map.of(ProgressDisplay.TERMINAL, "1")));
  }

  private static String drawn(int rank, Map<String, String> environment) {
    var drawn = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(drawn, true, StandardCharsets.UTF_8));
    try (ProgressDisplay progress = ProgressDisplay.ofFrames("write", 4, rank, environment)) {
      progress.advance(2);
      progress.advance(1);
    } finally {
      System.setErr(before);
    }
    return drawn.toString(StandardCharsets.UTF_8);
  }
}
