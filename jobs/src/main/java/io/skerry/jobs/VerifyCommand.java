package io.skerry.jobs;

import io.skerry.jobs.VerifyOptions.Output;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads the arguments of {@code skerry verify}. */
@Command(
    name = "verify",
    description = "Check every structure and every chunk of a file.",
    footer = {
      "",
      "Checks checksums, bounds, filters, references into heaps, and that no two structures",
      "claim the same space. Prints one line per finding: address, structure, object, what is",
      "wrong; then how the space of the file is used. Addresses count from the superblock.",
      "",
      "Exit codes: 0 the file is sound, 1 it is not, 2 wrong arguments."
    })
@SuppressWarnings("UnusedVariable") // picocli writes the fields
final class VerifyCommand implements Callable<Integer> {
  private final Commands commands;

  @SuppressWarnings("NullAway.Init")
  @Parameters(paramLabel = "FILE", description = "An HDF5 file.")
  private Path file;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  private boolean help;

  VerifyCommand(Commands commands) {
    this.commands = commands;
  }

  @Override
  public Integer call() {
    return commands.verify(new VerifyOptions(file, json ? Output.JSON : Output.TEXT));
  }
}
