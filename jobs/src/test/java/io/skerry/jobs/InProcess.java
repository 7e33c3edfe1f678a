package io.skerry.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.jobs.Shell.Ran;
import io.skerry.jobs.frame.FrameReader;
import io.skerry.jobs.lcls.LclsHandler;
import io.skerry.jobs.lcls.LclsOptions;
import io.skerry.jobs.run.CommandContext;
import io.skerry.jobs.run.Launch;
import io.skerry.mpi.internal.launch.ProgramArguments;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;

/** Runs the skerry command in this JVM, with threads as ranks, and captures its output. */
public final class InProcess {
  private InProcess() {}

  /** Runs a command line. */
  public static Ran skerry(String... arguments) {
    return skerry(FrameReader::open, arguments);
  }

  /** Runs a command line with frames from another source. */
  public static Ran skerry(FrameReader.Opener sources, String... arguments) {
    return skerry(sources, () -> false, arguments);
  }

  /**
   * Runs a command line with frames from another source and a request to stop.
   *
   * @param stopping returns true if the calling rank is to stop; called once per rank and batch
   */
  public static Ran skerry(
      FrameReader.Opener sources, BooleanSupplier stopping, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream results = new PrintStream(out, true, UTF_8);
    CommandContext context = new CommandContext(Map.of(), results, ProgramArguments.of());
    LclsHandler lcls = new LclsHandler(context, sources, stopping);
    int code =
        Skerry.commandLine(handlers(context, lcls), Launch.of(Map.of()))
            .setOut(new PrintWriter(out, true, UTF_8))
            .setErr(new PrintWriter(err, true, UTF_8))
            .execute(arguments);
    return new Ran(code, out.toString(UTF_8), err.toString(UTF_8));
  }

  private static Subcommand.Handlers handlers(CommandContext context, LclsHandler lcls) {
    return new Subcommand.Handlers() {
      @Override
      public <O> ToIntFunction<O> of(Subcommand<O> subcommand) {
        ToIntFunction<O> standard = subcommand.handler().apply(context);
        return options ->
            options instanceof LclsOptions asked
                ? lcls.applyAsInt(asked)
                : standard.applyAsInt(options);
      }
    };
  }

  /** Runs a command line and checks that it succeeds without output on standard error. */
  public static Ran good(Object... line) {
    Ran ran = skerry(words(line));
    assertEquals(0, ran.code(), ran.err());
    assertEquals("", ran.err());
    return ran;
  }

  /** Runs a command line and checks that it is refused with an exit code and a reason. */
  public static void refused(int code, String reason, Object... line) {
    Ran ran = skerry(words(line));
    assertEquals(code, ran.code(), ran.err());
    assertTrue(ran.err().startsWith("skerry: ") && ran.err().contains(reason), ran.err());
    assertFalse(ran.err().contains("an internal error of skerry"), ran.err());
  }

  private static String[] words(Object... line) {
    return Arrays.stream(line).map(Object::toString).toArray(String[]::new);
  }
}
