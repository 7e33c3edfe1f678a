package io.skerry.jobs;

import io.skerry.jobs.LsOptions.Output;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads the arguments of {@code skerry ls}. */
@Command(
    name = "ls",
    description = "Print the tree of a file: shapes, types, layouts, filters, defined counts.")
@SuppressWarnings("UnusedVariable") // picocli writes the fields
final class LsCommand implements Callable<Integer> {
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

  LsCommand(Commands commands) {
    this.commands = commands;
  }

  @Override
  public Integer call() {
    return commands.ls(new LsOptions(file, json ? Output.JSON : Output.TEXT));
  }
}
