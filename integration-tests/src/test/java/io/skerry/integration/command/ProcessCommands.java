package io.skerry.integration.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.jobs.Skerry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Runs the {@code ./skerry} command, for tests with processes as ranks. */
abstract class ProcessCommands {
  @TempDir Path folder;

  /** More environment variables of the commands. */
  final Map<String, String> more = new HashMap<>();

  /** The exit code, the output and the duration of a command. */
  record Ran(int code, String out, String err, double seconds) {}

  @BeforeEach
  void needs_mpirun() {
    String path = System.getenv().getOrDefault("PATH", "");
    assumeTrue(
        Arrays.stream(path.split(":")).anyMatch(f -> Files.isExecutable(Path.of(f, "mpirun"))),
        "mpirun is absent: skipped");
  }

  static Path above(String name) {
    Path at = Path.of("").toAbsolutePath();
    while (at != null && !Files.exists(at.resolve(name))) {
      at = at.getParent();
    }
    assumeTrue(at != null, "absent in all folders above: " + name);
    return at.resolve(name);
  }

  Ran skerry(String... arguments) throws IOException, InterruptedException {
    return command(above("skerry").toString(), arguments);
  }

  /**
   * Runs a command in this process, which takes less time than a new one, and returns its output.
   * The names of the files in the folder begin with {@code ./}.
   */
  String inProcess(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String[] line =
        Arrays.stream(arguments)
            .map(text -> text.startsWith("./") ? folder.resolve(text.substring(2)) + "" : text)
            .toArray(String[]::new);
    int code = Skerry.run(Map.of(), new PrintStream(out, true, UTF_8), line);
    assertEquals(0, code, () -> String.join(" ", line));
    return out.toString(UTF_8);
  }

  Ran command(String program, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile("skerry-out", ".txt");
    Path err = Files.createTempFile("skerry-err", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().keySet().removeIf(name -> name.matches("(OMPI_COMM|PMIX?_|PRTE_).*"));
    builder.environment().put("SKERRY_NO_INSTALL", "1");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(more);
    long begin = System.nanoTime();
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    try {
      assertTrue(process.waitFor(120, TimeUnit.SECONDS), "did not end in 120 s: " + command);
      double seconds = (System.nanoTime() - begin) / 1e9;
      return new Ran(process.exitValue(), Files.readString(out), Files.readString(err), seconds);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      Files.delete(out);
      Files.delete(err);
    }
  }

  Set<String> files() throws IOException {
    try (var all = Files.list(folder)) {
      return new TreeSet<>(all.map(f -> f.getFileName().toString()).toList());
    }
  }
}
