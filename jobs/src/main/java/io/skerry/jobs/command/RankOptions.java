package io.skerry.jobs.command;

import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * The options of a command that many ranks can run together. The launcher reads all of them before
 * the ranks start; here they are checked and shown in the help.
 */
@SuppressWarnings("UnusedVariable") // picocli writes the fields, the launcher reads the options
final class RankOptions {
  @Option(names = "--ranks", paramLabel = "N", description = "Ranks to run on (default: 1).")
  private int ranks = 1;

  @Option(
      names = "--mpi",
      paramLabel = "MPIRUN|threads",
      description = "The launcher to use for more than one rank (default: mpirun if there is one).")
  private Optional<String> mpi = Optional.empty();

  @Option(
      names = {"-v", "--verbose"},
      description = "Say on standard error how the ranks are run.")
  private boolean verbose;

  /** Whether the ranks shall be threads of one process. */
  boolean asThreads() {
    return mpi.equals(Optional.of("threads"));
  }

  /** Number of ranks. */
  int ranks() {
    return ranks;
  }
}
