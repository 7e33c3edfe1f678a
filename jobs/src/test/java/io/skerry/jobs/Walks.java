package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The commands that visit every object of a file, in a JVM with a small heap. */
final class Walks {
  private static final long MOST_PRINTED = 64L << 20;

  private Walks() {}

  /** The reports that the commands print. */
  enum Reports {
    TEXT,
    TEXT_AND_JSON;

    /** Returns the reports for a file that takes the same paths as another with all reports. */
    static Reports some() {
      return Boolean.getBoolean("skerry.thorough") ? TEXT_AND_JSON : TEXT;
    }
  }

  /** Returns the command lines. The last is the digest of a repacked copy. */
  static List<List<String>> lines(Path file, Reports reports) {
    String name = file.toString();
    List<List<String>> lines = new ArrayList<>();
    for (String command : List.of("ls", "verify", "digest", "stat")) {
      lines.add(List.of(command, name));
      if (reports == Reports.TEXT_AND_JSON) {
        lines.add(List.of(command, "--json", name));
      }
    }
    lines.add(List.of("stat", "--cache", name));
    lines.add(List.of("repack", name, name + ".repacked"));
    lines.add(List.of("digest", name + ".repacked"));
    return lines;
  }

  /** Runs the command lines, and checks that all succeed and print a limited amount. */
  static List<CommandRun> succeeding(Path folder, Path file, Reports reports) {
    List<CommandRun> runs = CommandRun.all(folder, "256m", lines(file, reports));
    for (CommandRun run : runs) {
      assertEquals(0, run.code(), run.toString());
      assertEquals("", run.err(), run.toString());
      assertTrue(run.bytes() < MOST_PRINTED, run.toString());
    }
    return runs;
  }

  /** Returns the run of a command whose report is text. */
  static CommandRun of(List<CommandRun> runs, String command) {
    return runs.stream()
        .filter(run -> run.line().getFirst().equals(command) && !run.line().contains("--json"))
        .findFirst()
        .orElseThrow();
  }
}
