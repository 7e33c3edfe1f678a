package io.skerry.jobs.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.jobs.lcls.LclsOptions.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FrameProgressTest {
  @Test
  void the_first_rank_draws_a_bar_on_a_terminal() {
    String drawn = drawn(Progress.BAR, Map.of(FrameProgress.TERMINAL, "1"));
    assertTrue(drawn.contains("write") && drawn.contains("3/4"), drawn);
  }

  @Test
  void nobody_else_does() {
    assertEquals("", drawn(Progress.BAR, Map.of()));
    assertEquals("", drawn(Progress.NONE, Map.of(FrameProgress.TERMINAL, "1")));
    Map<String, String> second = Map.of(FrameProgress.TERMINAL, "1", "PMIX_RANK", "1");
    assertEquals("", drawn(Progress.BAR, second));
  }

  private static String drawn(Progress wanted, Map<String, String> environment) {
    var drawn = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(drawn, true, StandardCharsets.UTF_8));
    try (FrameProgress progress = FrameProgress.of(wanted, "write", 4, environment)) {
      progress.advance(2);
      progress.advance(1);
    } finally {
      System.setErr(before);
    }
    return drawn.toString(StandardCharsets.UTF_8);
  }
}
