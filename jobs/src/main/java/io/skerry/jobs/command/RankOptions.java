package io.skerry.jobs.command;

import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * The options of a command that can run on several ranks. The script {@code skerry} reads all of
 * them before the ranks start; this class declares them to picocli, which checks their syntax and
 * lists them in the help text.
 */
@SuppressWarnings("UnusedVariable") // picocli writes the fields, the script reads the options
final class RankOptions {
  @Option(names = "--ranks", paramLabel = "N", description = "Number of ranks (default: 1).")
  private int ranks = 1;

  @Option(
      names = "--mpi",
      paramLabel = "MPIRUN|threads",
      description = "The launcher of several ranks (default: mpirun, or threads if there is none).")
  private Optional<String> mpi = Optional.empty();

  @Option(
      names = {"-v", "--verbose"},
      description = "Print on standard error how the ranks are started.")
  private boolean verbose;

  /** Returns whether {@code --mpi threads} was given. */
  boolean asThreads() {
    return mpi.equals(Optional.of("threads"));
  }

  /** Returns the requested number of ranks. */
  int ranks() {
    return ranks;
  }
}
