package io.skerry.collective.write;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which runs of a contiguous block are written together. */
class ContiguousRunsTest {
  /** Returns the number of runs in each window of runs with the given offsets and lengths. */
  private static List<Integer> windows(long gap, long limit, long[]... offsetsAndLengths) {
    List<ContiguousRuns.Run> runs = new ArrayList<>();
    Arrays.stream(offsetsAndLengths).forEach(r -> runs.add(new ContiguousRuns.Run(r[0], r[1], 0)));
    return new ContiguousRuns(runs)
        .windows(gap, limit).stream().map(window -> window.runs().size()).toList();
  }

  @Test
  void runs_are_written_together_up_to_the_largest_gap() {
    assertEquals(List.of(2), windows(100, 1000, new long[] {0, 4}, new long[] {104, 4}));
    assertEquals(List.of(1, 1), windows(100, 1000, new long[] {0, 4}, new long[] {105, 4}));
    assertEquals(List.of(1, 1), windows(0, 1000, new long[] {0, 4}, new long[] {5, 4}));
  }

  @Test
  void a_window_is_not_longer_than_the_limit() {
    assertEquals(List.of(2), windows(100, 108, new long[] {0, 4}, new long[] {104, 4}));
    assertEquals(List.of(1, 1), windows(100, 107, new long[] {0, 4}, new long[] {104, 4}));
    assertEquals(
        List.of(2, 1),
        windows(100, 50, new long[] {0, 20}, new long[] {30, 20}, new long[] {51, 9}));
  }

  @Test
  void a_run_longer_than_the_largest_gap_is_written_with_adjacent_runs_only() {
    assertEquals(List.of(1, 1), windows(100, 1000, new long[] {0, 101}, new long[] {102, 4}));
    assertEquals(List.of(1, 1), windows(100, 1000, new long[] {0, 4}, new long[] {5, 101}));
    assertEquals(List.of(2), windows(100, 1000, new long[] {0, 101}, new long[] {101, 4}));
  }
}
