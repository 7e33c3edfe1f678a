package io.skerry.integration.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.testkit.launch.ChildProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@link SoakMain} for {@code -Dskerry.soak.seconds} (10 by default), active for {@code
 * -Dskerry.soak.duty} percent (100) of the time, from seed {@code -Dskerry.soak.seed} (1).
 */
@EnabledOnOs(OS.LINUX)
class SoakTest {
  private static final String[] JVM = {
    ChildProgram.ALL_COMPILERS,
    "-Xms256m",
    "-Xmx256m",
    "-XX:+UseSerialGC",
    "-XX:+AlwaysPreTouch",
    "-XX:NativeMemoryTracking=summary"
  };

  @TempDir Path folder;

  @Test
  void results_are_right_and_no_resource_grows_in_a_long_run()
      throws IOException, InterruptedException {
    int seconds = Integer.getInteger("skerry.soak.seconds", 10);
    ChildProgram.Ended ended =
        ChildProgram.of(
                SoakMain.class,
                folder.resolve("files"),
                seconds,
                System.getProperty("skerry.soak.seed", "1"),
                System.getProperty("skerry.soak.duty", "100"))
            .withJvmOptions(JVM)
            .run(folder, "log", Duration.ofSeconds(seconds + 600L));
    System.out.print(ended.output());
    assertEquals(0, ended.exitCode(), ended.output());
    assertTrue(ended.output().contains("soaked seconds="), "no report");
  }
}
