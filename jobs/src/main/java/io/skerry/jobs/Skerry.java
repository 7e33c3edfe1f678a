package io.skerry.jobs;

import io.skerry.chunk.text.PrintableText;
import io.skerry.jobs.report.FailureText;
import io.skerry.jobs.run.CommandContext;
import io.skerry.jobs.run.Launch;
import io.skerry.mpi.internal.launch.ProgramArguments;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/**
 * The {@code skerry} command. Exit codes: 0 success, 1 failure, 2 wrong arguments, no usable MPI
 * library, or no rank that would be left to compute. An error is printed on standard error as one
 * line, followed by a hint if the arguments are wrong; an error that occurs on all ranks is usually
 * printed by rank 0 only.
 */
@Command(
    name = "skerry",
    description = "Parallel, sparse HDF5.",
    versionProvider = Skerry.Version.class,
    footer = {
      "",
      "`./skerry run` runs your own main class on several ranks, `./skerry test` runs all tests,",
      "`./skerry bench` runs the benchmarks."
    })
@SuppressWarnings("UnusedVariable") // picocli writes the fields
public final class Skerry implements Runnable {
  /** The width of the help text in columns; its examples are written for this width. */
  private static final int HELP_WIDTH = 100;

  private final CommandLine line;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Print the version.")
  private boolean version;

  private Skerry(List<Subcommand<?>> subcommands, Subcommand.Handlers handlers, Launch launch) {
    line = new CommandLine(this);
    subcommands.forEach(each -> line.addSubcommand(each.with(handlers)));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setExpandAtFiles(false);
    line.setUsageHelpWidth(HELP_WIDTH);
    line.setParameterExceptionHandler((refusal, args) -> refuse(refusal, launch));
    line.setExecutionExceptionHandler((failure, command, parsed) -> fail(failure, command, launch));
    line.setExecutionStrategy(parsed -> execute(parsed, launch));
  }

  /** Returns a picocli command line whose subcommands call the given handlers. */
  static CommandLine commandLine(Subcommand.Handlers handlers, Launch launch) {
    return new Skerry(Subcommands.ALL, handlers, launch).line;
  }

  public static void main(String[] args) {
    Thread.setDefaultUncaughtExceptionHandler((_, failure) -> report(failure));
    ProgramArguments.of(args).exit(run(System.getenv(), System.out, args));
  }

  /** Prints a failure in a single call, so that lines from several threads are not mixed. */
  private static void report(Throwable failure) {
    System.err.print(FailureText.text(failure) + System.lineSeparator());
  }

  /**
   * Runs a command in this process.
   *
   * @param environment the environment of the process, including the variables of a parallel
   *     launcher
   * @param out the stream that receives the results; errors are printed on standard error
   * @param args the arguments of the process, including those that a launcher has inserted
   * @return the exit code
   */
  public static int run(Map<String, String> environment, PrintStream out, String... args) {
    ProgramArguments given = ProgramArguments.of(args);
    Map<String, String> extended = given.addTo(environment);
    CommandContext context = new CommandContext(extended, out, given);
    String[] own = given.toArray();
    Skerry skerry = new Skerry(Subcommands.neededBy(own), handlersIn(context), Launch.of(extended));
    int code = skerry.line.execute(own);
    context.end();
    return code;
  }

  private static Subcommand.Handlers handlersIn(CommandContext context) {
    return new Subcommand.Handlers() {
      @Override
      public <O> ToIntFunction<O> of(Subcommand<O> subcommand) {
        return subcommand.handler().apply(context);
      }
    };
  }

  /** Rejects a command line that names no subcommand; the message lists all subcommands. */
  @Override
  public void run() {
    throw new ParameterException(
        line,
        Subcommands.ALL.stream()
            .map(Subcommand::name)
            .collect(Collectors.joining(", ", "which command? one of ", "")));
  }

  private static int refuse(ParameterException refusal, Launch launch) {
    CommandLine command = refusal.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    String hint = System.lineSeparator() + "Try './" + name + " --help'.";
    String line = "skerry: " + PrintableText.text(String.valueOf(refusal.getMessage()));
    return report(line + hint, CommandLine.ExitCode.USAGE, command, launch);
  }

  /**
   * Runs the command. An {@link Error} that reaches this method is reported like an exception;
   * picocli would propagate it.
   */
  private static int execute(ParseResult parsed, Launch launch) {
    try {
      return new RunLast().execute(parsed);
    } catch (Error e) {
      return fail(e, parsed.commandSpec().commandLine(), launch);
    }
  }

  private static int fail(Throwable failure, CommandLine command, Launch launch) {
    return report(FailureText.text(failure), CommandLine.ExitCode.SOFTWARE, command, launch);
  }

  private static int report(String text, int exitCode, CommandLine command, Launch launch) {
    launch.letFirstEndTheJob();
    String source = launch.isFirst() ? "" : "rank=" + launch.rank().orElse(0) + ": ";
    command.getErr().println(text.replaceFirst("^skerry: ", "skerry: " + source));
    command.getErr().flush();
    return exitCode;
  }

  /** Provides the version of Skerry, from the manifest of the jar, and the version of Java. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version =
          Optional.ofNullable(Skerry.class.getPackage().getImplementationVersion())
              .orElse("(run from classes)");
      return new String[] {
        "skerry " + version, "Java " + Runtime.version() + " " + System.getProperty("os.arch")
      };
    }
  }
}
