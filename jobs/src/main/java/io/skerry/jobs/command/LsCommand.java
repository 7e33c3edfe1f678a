package io.skerry.jobs.command;

import picocli.CommandLine.Command;

/** Reads the arguments of {@code skerry ls}. */
@Command(
    name = "ls",
    description = "Print the tree of a file: shapes, types, layouts, filters, defined counts.")
public final class LsCommand extends WholeFileCommand {
  public LsCommand(Commands commands) {
    super(commands::ls);
  }
}
