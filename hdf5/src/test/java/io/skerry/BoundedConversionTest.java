package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a conversion never needs a second buffer for all values. */
class BoundedConversionTest {
  /** The memory that a transfer may use beyond its values, in MiB. */
  private static final long MOST_MIB = 192;

  @TempDir Path folder;

  /**
   * Transfers 512 MiB of values, and 128 MiB, of which the chunks in the file take 64 MiB: the
   * default limits of the chunk cache and of a read would keep all of them in the heap.
   */
  @ParameterizedTest
  @ValueSource(ints = {512, 128})
  void a_large_selection_is_converted_in_a_heap_of_96_mebibytes(int mebibytes) throws Exception {
    Path status = Path.of("/proc/self/status");
    assumeTrue(
        Files.isReadable(status) && Files.readString(status).contains("RssAnon:"),
        "skipped: the system does not tell how much memory a process has");
    Path printed = folder.resolve("printed.txt");
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx96m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                LargeTransfers.class.getName(),
                folder.toString(),
                Integer.toString(mebibytes * 32))
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    assertTrue(process.waitFor(300, TimeUnit.SECONDS), "it hangs");
    List<String> lines = Files.readAllLines(printed);
    assertEquals(0, process.exitValue(), String.join("\n", lines));
    List<String> taken = lines.stream().filter(line -> line.contains(" MiB ")).toList();
    assertEquals(6, taken.size(), String.join("\n", lines));
    for (String line : taken) {
      System.out.println(line);
      long mib = Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
      assertTrue(mib < MOST_MIB, line + " limit=" + MOST_MIB);
    }
  }
}
