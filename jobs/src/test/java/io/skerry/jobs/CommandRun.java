package io.skerry.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.skerry.testkit.launch.ChildProgram;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The result of a skerry command that ran in a separate JVM with a small heap.
 *
 * @param line the arguments of the command
 * @param code exit code
 * @param out the first 16 MiB of the standard output
 * @param bytes length of the standard output
 * @param err standard error
 */
record CommandRun(List<String> line, int code, String out, long bytes, String err) {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int KEPT = 1 << 24;
  private static final String BETWEEN_ARGUMENTS = "\0";
  private static final String BETWEEN_LINES = "\0\0";

  /** Runs command lines one after another in one JVM with the given heap size. */
  static List<CommandRun> all(Path folder, String heap, List<List<String>> lines) {
    try {
      Path told = Files.createTempDirectory(folder, "runs");
      Files.writeString(
          told.resolve("lines"),
          lines.stream()
              .map(line -> String.join(BETWEEN_ARGUMENTS, line))
              .collect(Collectors.joining(BETWEEN_LINES)));
      int code = start(folder, heap, told);
      List<CommandRun> runs = new ArrayList<>();
      for (int i = 0; i < lines.size(); i++) {
        Path out = told.resolve(i + ".out");
        runs.add(
            new CommandRun(
                lines.get(i),
                Files.exists(told.resolve(i + ".code"))
                    ? Integer.parseInt(Files.readString(told.resolve(i + ".code")))
                    : -code,
                kept(out),
                Files.size(out),
                kept(told.resolve(i + ".err"))));
      }
      return runs;
    } catch (IOException e) {
      throw new IllegalStateException("cannot run: folder=" + folder, e);
    }
  }

  private static String kept(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return new String(in.readNBytes(KEPT), UTF_8);
    }
  }

  private static int start(Path folder, String heap, Path told) {
    try {
      return ChildProgram.of(CommandRun.class, told)
          .withJvmOptions("-Xmx" + heap)
          .run(folder, "jvm.log", LIMIT)
          .exitCode();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Runs the command lines in a folder, and stores their output, errors and exit codes there. */
  public static void main(String[] args) throws IOException {
    Path told = Path.of(args[0]);
    List<String> lines =
        Arrays.asList(Files.readString(told.resolve("lines")).split(BETWEEN_LINES, -1));
    for (int i = 0; i < lines.size(); i++) {
      try (OutputStream out = Files.newOutputStream(told.resolve(i + ".out"));
          OutputStream err = Files.newOutputStream(told.resolve(i + ".err"));
          PrintStream printed = new PrintStream(out, false, UTF_8);
          PrintStream failed = new PrintStream(err, true, UTF_8)) {
        System.setErr(failed);
        int code = Skerry.run(Map.of(), printed, lines.get(i).split(BETWEEN_ARGUMENTS, -1));
        printed.flush();
        Files.writeString(told.resolve(i + ".code"), Integer.toString(code));
      }
    }
  }

  @Override
  public String toString() {
    return line + " code=" + code + " bytes=" + bytes + " err=" + err;
  }
}
