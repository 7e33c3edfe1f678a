package io.skerry.testkit.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Requests that are larger than the heap, in a process with a heap of 256 MiB: each is refused on
 * every rank, before anything has changed, with the bytes that it needs, the limit and the option.
 */
class MemoryLimitsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void a_request_beyond_the_heap_is_refused_and_the_session_is_stored(LimitScenario scenario)
      throws IOException, InterruptedException {
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    LimitMain.class.getName(),
                    folder.toString(),
                    scenario.name()))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertTrue(process.waitFor(120, TimeUnit.SECONDS), "it hangs: " + Files.readString(log));
    } finally {
      process.destroyForcibly();
    }
    assertEquals(0, process.exitValue(), Files.readString(log));
    assertTrue(Files.readString(log).contains("passed " + scenario), Files.readString(log));
  }
}
