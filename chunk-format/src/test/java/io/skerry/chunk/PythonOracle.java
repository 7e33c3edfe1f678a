package io.skerry.chunk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Runs a script in a Python with h5py; the test is skipped where there is none. */
public final class PythonOracle {
  private PythonOracle() {}

  /**
   * @return the lines it printed
   */
  public static List<String> run(String script) throws IOException, InterruptedException {
    for (String python : List.of("python3", "/usr/bin/python3")) {
      try {
        Process process =
            new ProcessBuilder(python, "-c", "import h5py, numpy as np\n" + script)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String printed;
        try (InputStream out = process.getInputStream()) {
          printed = new String(out.readAllBytes(), StandardCharsets.UTF_8);
        }
        if (process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0) {
          return printed.lines().toList();
        }
      } catch (IOException noSuchProgram) {
        continue;
      }
    }
    Assumptions.abort("skipped: no Python with h5py");
    return List.of();
  }
}
