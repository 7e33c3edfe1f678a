package io.skerry.chunk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Runs a script in a Python interpreter with h5py; skips the test if there is none. */
public final class PythonOracle {
  private PythonOracle() {}

  /** Python interpreters that may have h5py, with different releases of the HDF5 library. */
  public static final List<String> PYTHONS =
      Stream.of(
              Optional.ofNullable(System.getenv("SKERRY_PYTHON")).orElse("python3"),
              "python3",
              "/usr/bin/python3")
          .distinct()
          .toList();

  /**
   * Runs a script in the first suitable Python.
   *
   * @return the lines that it printed
   */
  public static List<String> run(String script) throws IOException, InterruptedException {
    for (String python : PYTHONS) {
      Optional<List<String>> printed = runIn(python, "import h5py, numpy as np\n" + script);
      if (printed.isPresent()) {
        return printed.get();
      }
    }
    Assumptions.abort("skipped: no Python with h5py");
    return List.of();
  }

  /**
   * Runs a script in one Python.
   *
   * @return the lines that it printed; empty if it failed or the interpreter does not exist
   */
  public static Optional<List<String>> runIn(String python, String script, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(python, "-c", script));
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String printed;
      try (InputStream out = process.getInputStream()) {
        printed = new String(out.readAllBytes(), StandardCharsets.UTF_8);
      }
      if (process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0) {
        return Optional.of(printed.lines().toList());
      }
    } catch (IOException noSuchProgram) {
      return Optional.empty();
    }
    return Optional.empty();
  }
}
