package io.skerry.jobs;

import io.skerry.exception.PrintableText;
import io.skerry.jobs.command.Commands;
import io.skerry.jobs.command.ConvertCommand;
import io.skerry.jobs.command.DefinedCommand;
import io.skerry.jobs.command.DigestCommand;
import io.skerry.jobs.command.DumpCommand;
import io.skerry.jobs.command.ExportCommand;
import io.skerry.jobs.command.ImportCommand;
import io.skerry.jobs.command.LclsCommand;
import io.skerry.jobs.command.LsCommand;
import io.skerry.jobs.command.MpiCommand;
import io.skerry.jobs.command.PcaCommand;
import io.skerry.jobs.command.RecoverCommand;
import io.skerry.jobs.command.RepackCommand;
import io.skerry.jobs.command.StatCommand;
import io.skerry.jobs.command.VerifyCommand;
import io.skerry.jobs.report.FailureText;
import io.skerry.jobs.run.Launch;
import io.skerry.mpi.internal.launch.ProgramArguments;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/**
 * The {@code skerry} command. Exit codes: 0 done, 1 failed, 2 wrong arguments. Errors are one line
 * on standard error; one that all ranks meet is printed by the first rank only.
 */
@Command(
    name = "skerry",
    description = "Parallel, sparse HDF5.",
    versionProvider = Skerry.Version.class,
    footer = {
      "",
      "`./skerry run` runs a main class of yours on ranks, `./skerry test` all tests,",
      "`./skerry bench` measures."
    })
@SuppressWarnings("UnusedVariable") // picocli writes the fields
public final class Skerry implements Runnable {
  private static final List<Subcommand> SUBCOMMANDS =
      List.of(
          new Subcommand("lcls", LclsCommand::new),
          new Subcommand("mpi", MpiCommand::new),
          new Subcommand("ls", LsCommand::new),
          new Subcommand("defined", DefinedCommand::new),
          new Subcommand("digest", DigestCommand::new),
          new Subcommand("dump", DumpCommand::new),
          new Subcommand("stat", StatCommand::new),
          new Subcommand("verify", VerifyCommand::new),
          new Subcommand("recover", RecoverCommand::new),
          new Subcommand("repack", RepackCommand::new),
          new Subcommand("convert", ConvertCommand::new),
          new Subcommand("export", ExportCommand::new),
          new Subcommand("import", ImportCommand::new),
          new Subcommand("pca", PcaCommand::new));

  /**
   * @param name the name in the annotation of the class
   */
  private record Subcommand(String name, Function<Commands, Object> maker) {}

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

  private Skerry(List<Subcommand> subcommands, Commands commands, Launch launch) {
    line = new CommandLine(this);
    subcommands.forEach(each -> line.addSubcommand(each.maker().apply(commands)));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setExpandAtFiles(false);
    line.setParameterExceptionHandler((refusal, args) -> refuse(refusal, launch));
    line.setExecutionExceptionHandler((failure, command, parsed) -> fail(failure, command, launch));
    line.setExecutionStrategy(parsed -> execute(parsed, launch));
  }

  /** The command as picocli sees it, with {@code commands} behind its subcommands. */
  static CommandLine commandLine(Commands commands, Launch launch) {
    return new Skerry(SUBCOMMANDS, commands, launch).line;
  }

  public static void main(String[] args) {
    Thread.setDefaultUncaughtExceptionHandler((_, failure) -> report(failure));
    ProgramArguments.of(args).exit(run(System.getenv(), System.out, args));
  }

  /** One print, so that lines of several threads do not mix. */
  private static void report(Throwable failure) {
    System.err.print(FailureText.text(failure) + System.lineSeparator());
  }

  /**
   * Runs a command in this process.
   *
   * @param environment what a launcher says in it counts
   * @param out where results go; errors go to standard error
   * @return the exit code
   */
  public static int run(Map<String, String> environment, PrintStream out, String... args) {
    ProgramArguments given = ProgramArguments.of(args);
    Map<String, String> told = given.addTo(environment);
    FileCommands commands = new FileCommands(told, out, given);
    String[] own = given.toArray();
    int code = new Skerry(needed(own), commands, Launch.of(told)).line.execute(own);
    commands.end();
    return code;
  }

  // Reading the annotations of all subcommands takes most of the time before a rank starts MPI.
  private static List<Subcommand> needed(String... args) {
    List<Subcommand> named =
        SUBCOMMANDS.stream()
            .filter(each -> args.length > 0 && each.name().equals(args[0]))
            .toList();
    return named.isEmpty() ? SUBCOMMANDS : named;
  }

  /** Without a subcommand: the help, but as an answer to wrong arguments. */
  @Override
  public void run() {
    throw new ParameterException(
        line,
        SUBCOMMANDS.stream()
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
   * Runs the command. An {@link Error} that no code below has dealt with is told like an exception,
   * for picocli would let it through.
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
    String who = launch.isFirst() ? "" : "rank=" + launch.rank().orElse(0) + ": ";
    command.getErr().println(text.replaceFirst("^skerry: ", "skerry: " + who));
    command.getErr().flush();
    return exitCode;
  }

  /** The version in the manifest of the jar. */
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
