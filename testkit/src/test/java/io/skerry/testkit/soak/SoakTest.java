package io.skerry.testkit.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that uses files for {@code -Dskerry.soak.seconds} (10), {@code -Dskerry.soak.duty}
 * percent (100) of the time awake, from seed {@code -Dskerry.soak.seed} (1).
 */
@EnabledOnOs(OS.LINUX)
class SoakTest {
  private static final List<String> JVM =
      List.of(
          "-Xms256m",
          "-Xmx256m",
          "-XX:+UseSerialGC",
          "-XX:+AlwaysPreTouch",
          "-XX:NativeMemoryTracking=summary",
          "--enable-native-access=ALL-UNNAMED");

  @TempDir Path folder;

  @Test
  void every_result_is_right_and_no_resource_grows_however_long_files_are_used()
      throws IOException, InterruptedException {
    int seconds = Integer.getInteger("skerry.soak.seconds", 10);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(
        List.of(
            SoakMain.class.getName(),
            folder.resolve("files").toString(),
            Integer.toString(seconds),
            System.getProperty("skerry.soak.seed", "1"),
            System.getProperty("skerry.soak.duty", "100")));
    Path log = folder.resolve("log");
    Process soak =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertTrue(soak.waitFor(seconds + 600L, TimeUnit.SECONDS), "the soak hangs");
    } finally {
      soak.destroyForcibly();
      System.out.print(Files.readString(log));
    }
    assertEquals(0, soak.exitValue(), Files.readString(log));
    assertTrue(Files.readString(log).contains("soaked seconds="), "no report");
  }
}
