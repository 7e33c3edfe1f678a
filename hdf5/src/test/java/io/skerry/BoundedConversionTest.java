package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a conversion never needs a second buffer for all values. */
class BoundedConversionTest {
  private static final Pattern USED = Pattern.compile("\\w+ \\w+ of (\\d+) MiB uses MiB (\\d+)");

  @TempDir Path folder;

  @Test
  void a_selection_of_512_mebibytes_is_converted_in_a_heap_of_96() throws Exception {
    Path status = Path.of("/proc/self/status");
    assumeTrue(
        Files.isReadable(status) && Files.readString(status).contains("RssAnon:"),
        "skipped: the system does not tell how much memory a process has");
    Path printed = folder.resolve("printed.txt");
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx96m",
                "-Dskerry.thorough=" + Boolean.getBoolean("skerry.thorough"),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                LargeTransfers.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    assertTrue(process.waitFor(300, TimeUnit.SECONDS), "it hangs");
    List<String> lines = Files.readAllLines(printed);
    assertEquals(0, process.exitValue(), String.join("\n", lines));
    List<Matcher> used = lines.stream().map(USED::matcher).filter(Matcher::matches).toList();
    assertEquals(6, used.size(), String.join("\n", lines));
    for (Matcher line : used) {
      System.out.println(line.group());
      // The values take twice as much in memory as in the file.
      long limit = Long.parseLong(line.group(1)) * 3 / 4;
      assertTrue(Long.parseLong(line.group(2)) < limit, line.group() + " limit=" + limit);
    }
  }
}
