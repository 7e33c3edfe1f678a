package io.skerry.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.skerry.jobs.Shell.Ran;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Map;

/** The skerry command in this JVM, ranks as threads, streams captured. */
final class InProcess {
  private InProcess() {}

  /** Runs a command line. */
  static Ran skerry(String... arguments) {
    return skerry(FrameReader::open, arguments);
  }

  /** The same with other frames. */
  static Ran skerry(FrameReader.Opener sources, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Commands commands = new FileCommands(Map.of(), new PrintStream(out, true, UTF_8), sources);
    int code =
        Skerry.commandLine(commands, Launch.of(Map.of()))
            .setOut(new PrintWriter(out, true, UTF_8))
            .setErr(new PrintWriter(err, true, UTF_8))
            .execute(arguments);
    return new Ran(code, out.toString(UTF_8), err.toString(UTF_8));
  }
}
