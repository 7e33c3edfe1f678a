package io.skerry.jobs;

import io.skerry.mpi.ProgramArguments;
import java.io.PrintStream;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * The {@code skerry} command. Exit codes: 0 done, 1 failed, 2 wrong arguments. Errors are one line
 * on standard error; one that all ranks meet is printed by the first rank only.
 */
@Command(
    name = "skerry",
    description = "Parallel, sparse HDF5.",
    versionProvider = Skerry.Version.class,
    footer = {"", "`./skerry test` runs all tests."})
@SuppressWarnings("UnusedVariable") // picocli writes the fields
public final class Skerry implements Runnable {
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

  private Skerry(Commands commands, Launch launch) {
    line = new CommandLine(this);
    line.addSubcommand(new LclsCommand(commands));
    line.addSubcommand(new MpiCommand(commands));
    line.addSubcommand(new LsCommand(commands));
    line.addSubcommand(new DefinedCommand(commands));
    line.addSubcommand(new DigestCommand(commands));
    line.addSubcommand(new DumpCommand(commands));
    line.addSubcommand(new StatCommand(commands));
    line.addSubcommand(new VerifyCommand(commands));
    line.addSubcommand(new RecoverCommand(commands));
    line.addSubcommand(new RepackCommand(commands));
    line.addSubcommand(new ConvertCommand(commands));
    line.addSubcommand(new ExportCommand(commands));
    line.addSubcommand(new ImportCommand(commands));
    line.addSubcommand(new PcaCommand(commands));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setExpandAtFiles(false);
    line.setParameterExceptionHandler((refusal, args) -> refuse(refusal, launch));
    line.setExecutionExceptionHandler((failure, command, parsed) -> fail(failure, command, launch));
  }

  /** The command as picocli sees it, with {@code commands} behind its subcommands. */
  static CommandLine commandLine(Commands commands, Launch launch) {
    return new Skerry(commands, launch).line;
  }

  public static void main(String[] args) {
    ProgramArguments.of(args).exit(run(System.getenv(), System.out, args));
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
    int code = commandLine(commands, Launch.of(told)).execute(given.toArray());
    commands.end();
    return code;
  }

  /** Without a subcommand: the help, but as an answer to wrong arguments. */
  @Override
  public void run() {
    throw new ParameterException(
        line,
        "which command? one of lcls, mpi, ls, defined, digest, dump, stat, verify, recover, repack,"
            + " convert, export, import, pca");
  }

  private static int refuse(ParameterException refusal, Launch launch) {
    CommandLine command = refusal.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    String hint = System.lineSeparator() + "Try './" + name + " --help'.";
    String line = "skerry: " + TreeText.printable(String.valueOf(refusal.getMessage()));
    return report(line + hint, CommandLine.ExitCode.USAGE, command, launch);
  }

  private static int fail(Exception failure, CommandLine command, Launch launch) {
    return report(Failures.text(failure), CommandLine.ExitCode.SOFTWARE, command, launch);
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
