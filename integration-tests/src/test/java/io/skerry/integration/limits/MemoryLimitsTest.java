package io.skerry.integration.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.testkit.launch.ChildProgram;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Requests that are larger than the heap, in a process with a small heap: each is refused on every
 * rank, before anything has changed, with the bytes that it needs, the limit and the option.
 */
class MemoryLimitsTest {
  /** The heap in MiB, to which most requests are proportional. */
  private static final int HEAP = Boolean.getBoolean("skerry.thorough") ? 256 : 128;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void a_request_beyond_the_heap_is_refused_and_the_session_is_stored(LimitScenario scenario)
      throws InterruptedException {
    ChildProgram.Ended ended =
        ChildProgram.of(LimitMain.class, folder, scenario.name())
            .withJvmOptions("-Xmx" + HEAP + "m", "-D" + LimitMain.HEAP + "=" + HEAP)
            .run(folder, "log", Duration.ofMinutes(2));
    assertEquals(0, ended.exitCode(), ended.output());
    assertTrue(ended.output().contains("passed " + scenario), ended.output());
  }
}
