package io.skerry.integration.command;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs the scripts of this checkout with {@code SKERRY_NO_INSTALL=1}. */
public final class Checkout {
  private static final long LIMIT_SECONDS = 120;

  /** The exit code and the output of a command. */
  public record Ran(int code, String out, String err) {}

  private Checkout() {}

  /** Returns the top folder: the nearest one, from the current folder upward, with the launcher. */
  public static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isRegularFile(folder.resolve("skerry"))) {
      Path parent = folder.getParent();
      if (parent == null) {
        throw new IllegalStateException("no launcher above " + Path.of("").toAbsolutePath());
      }
      folder = parent;
    }
    return folder;
  }

  /** Runs a command in {@code folder} with additional environment variables. */
  public static Ran run(Path folder, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "out", ".txt");
    Path err = Files.createTempFile(folder, "err", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().keySet().removeIf(name -> name.matches("(OMPI_|PMIX?_|PRTE_).*"));
    builder.environment().put("SKERRY_NO_INSTALL", "1");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    try {
      process.getOutputStream().close();
      assertTrue(
          process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), "did not end in time: " + command);
      return new Ran(process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      Files.delete(out);
      Files.delete(err);
    }
  }
}
