package io.skerry.integration.randomprogram;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RandomProgramTest {
  /** {@code -Pslow} increases this number. */
  private static final int ROUNDS = Integer.getInteger("skerry.trial.seeds", 12);

  /** The number of programs that run on each number of ranks. */
  private static final int COMPARED = Boolean.getBoolean("skerry.thorough") ? 8 : 3;

  @TempDir Path folder;

  /** {@code -Dskerry.trial.seed} replays one seed; {@code -Dskerry.trial.seeds} sets the count. */
  @Test
  void random_programs_on_threads_agree_with_the_model() throws Exception {
    long only = Long.getLong("skerry.trial.seed", -1);
    List<AssertionError> failures = new ArrayList<>();
    int played = 0;
    for (long seed = 0; seed < ROUNDS; seed++) {
      if (only >= 0 && seed != only) {
        continue;
      }
      Path path = folder.resolve("trial" + seed + ".h5");
      try {
        String unused = RandomProgramRun.of(seed).onThreads(path);
        played++;
      } catch (AssertionError e) {
        failures.add(e);
      }
      Files.deleteIfExists(path);
    }
    System.out.println("random programs on threads: " + played + " left what the model says");
    if (!failures.isEmpty()) {
      AssertionError first = failures.getFirst();
      throw new AssertionError(
          failures.size() + " of " + ROUNDS + " rounds failed, the first: " + first.getMessage(),
          first);
    }
    assertEquals(only >= 0 ? 1 : ROUNDS, played);
  }

  @Test
  void the_content_does_not_depend_on_the_number_of_ranks() {
    for (long seed = 1000; seed < 1000 + COMPARED; seed++) {
      String alone = RandomProgramRun.of(seed).onThreads(folder.resolve("one.h5"), 1);
      for (int ranks : new int[] {2, 3, 4, 7}) {
        String together = RandomProgramRun.of(seed).onThreads(folder.resolve(ranks + ".h5"), ranks);
        assertEquals(alone, together, "seed=" + seed + " ranks=" + ranks);
      }
    }
  }
}
