package io.skerry.integration.concurrency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.integration.concurrency.ConcurrentThreads.Disturbance;
import io.skerry.integration.concurrency.ConcurrentThreads.Plan;
import io.skerry.integration.concurrency.ConcurrentThreads.Report;
import io.skerry.integration.concurrency.ConcurrentThreads.Threads;
import io.skerry.testkit.oracle.Expectations;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.testkit.oracle.ProcessResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests many threads that access one file on one rank. {@code -Dskerry.crowd.steps} sets the number
 * of steps per thread; seeds run from 1 to {@code -Dskerry.crowd.seeds}, or {@code
 * -Dskerry.crowd.seed} selects a single one.
 */
@Timeout(value = 1200, unit = TimeUnit.SECONDS)
class ConcurrentThreadsTest {
  @TempDir Path folder;

  static Stream<Plan> plans() {
    int steps = Integer.getInteger("skerry.crowd.steps", 150);
    int seeds = Integer.getInteger("skerry.crowd.seeds", 5);
    int only = Integer.getInteger("skerry.crowd.seed", 0);
    long[] caches = {0, 300, 4000, 1 << 20};
    return IntStream.rangeClosed(1, Math.max(seeds, only))
        .filter(seed -> only == 0 || seed == only)
        .mapToObj(seed ->
            new Plan(
                seed,
                2 + seed % 4,
                seed % 4 < 2 ? Threads.PLATFORM : Threads.VIRTUAL,
                steps,
                caches[(seed / 2) % caches.length],
                seed % 3 == 0 ? 2000 : 1 << 20,
                seed % 2 == 0 ? Disturbance.INTERRUPTS : Disturbance.NONE));
  }

  @ParameterizedTest
  @MethodSource("plans")
  void threads_read_whole_writes_only_and_the_final_content_is_the_expected_one(Plan plan)
      throws IOException {
    Path file = folder.resolve("crowd.h5");
    ConcurrentThreads crowd = new ConcurrentThreads(file, plan);
    long start = System.nanoTime();
    Report report = crowd.run();
    System.out.printf("%s %s %.1f s%n", plan, report, (System.nanoTime() - start) / 1e9);
    assertEquals((long) plan.members() * plan.steps(), report.steps() + report.refused());
    if (plan.disturbance() == Disturbance.NONE) {
      assertEquals(0, report.refused());
    } else {
      assertTrue(report.interrupts() > 0);
    }
    Expectations expected = crowd.expectations();
    for (Oracle h5py : Oracle.h5py()) {
      Path facts = Files.writeString(folder.resolve("facts.txt"), expected.text());
      ProcessResult ran = h5py.script(folder, "check.py", file, facts);
      assertEquals("checked " + expected.count() + ", wrong 0", ran.out().strip(), ran.err());
    }
  }
}
